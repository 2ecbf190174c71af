import { build } from 'tsdown';
import { setupServer } from 'msw/node';
import { afterAll, expect, test } from 'vitest';
import { mockHandlers, sampleAccount } from './msw.ts';

const baseUrl = 'http://api.atelier.test';
const server = setupServer(...(await mockHandlers(baseUrl)));
server.listen();
afterAll(() => server.close());

test('handlers respond from the same memory', async () => {
  const login = await fetch(`${baseUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sampleAccount),
  });
  const { data } = (await login.json()) as { data: { token: { accessToken: string } } };
  const headers = {
    authorization: `Bearer ${data.token.accessToken}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ title: 'In the browser' });
  await fetch(`${baseUrl}/api/collections/create`, { method: 'POST', headers, body });
  const found = await fetch(`${baseUrl}/api/collections?q=in%20the%20browser`, { headers });
  expect(await found.json()).toMatchObject({ data: { pagination: { total: 1 } } });
  const stream = await fetch(`${baseUrl}/api/events`, { headers });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain('retry:');
  await reader?.cancel();
});

test('the handlers need nothing of Node', async () => {
  const [{ chunks = [] } = {}] = (await build({
    entry: ['src/msw.ts'],
    cwd: new URL('..', import.meta.url).pathname,
    config: false,
    dts: false,
    format: 'esm',
    logLevel: 'error',
    platform: 'browser',
    write: false,
    external: ['msw'],
  })) as { chunks?: { fileName: string; imports?: string[]; code?: string }[] }[];
  const imports = chunks.flatMap((chunk) => chunk.imports ?? []);
  expect(imports).toContain('msw');
  expect(imports.filter((name) => name.startsWith('node:'))).toEqual([]);
});
