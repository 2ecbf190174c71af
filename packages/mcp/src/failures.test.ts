import { createServer, type AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import { failureOf, withoutKeys } from './failures.ts';
import { connectToService } from './service.ts';
import { startService, type PlainResponse } from './testing/service.ts';

const key = `atl_pat_${'a'.repeat(46)}`;

async function failureAt(address: URL) {
  const error = await connectToService({ address, key }).then(
    () => new Error('It connected'),
    (reason: unknown) => reason,
  );
  return failureOf(error, address);
}

function refusal(status: number, body: object): PlainResponse {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ requestId: 'req_1', ...body }),
  };
}

const page = { 'content-type': 'text/html' };
const advice = 'Is ATELIER_URL the address of a service, such as https://api.example.com?';

test.each([
  [
    'a refused key',
    refusal(401, { code: 'unauthenticated', message: 'Authentication required' }),
    3,
    'The service refuses the key in ATELIER_KEY: Authentication required (unauthenticated, request req_1)',
  ],
  [
    'options that the service refuses',
    refusal(400, {
      code: 'validation_failed',
      message: 'Invalid request',
      errors: [{ message: 'Invalid toolsets: expected work' }],
    }),
    2,
    'Invalid toolsets: expected work (validation_failed, request req_1)',
  ],
  [
    'a limit',
    refusal(429, { code: 'rate_limited', message: 'Too many requests' }),
    1,
    'Too many requests (rate_limited, request req_1)',
  ],
  [
    'a text of several lines with a key in it',
    refusal(403, { code: 'permission_denied', message: `Not\n\u001B[31m${key}` }),
    1,
    'Not [31matl_… (permission_denied, request req_1)',
  ],
  [
    'another path',
    refusal(404, { code: 'route_not_found', message: 'There is no such endpoint' }),
    1,
    `<place> responds with 404. ${advice}`,
  ],
  [
    'a redirect',
    { status: 301, headers: { location: 'https://example.com/' } },
    1,
    `<place> responds with 301. ${advice}`,
  ],
  [
    'a page',
    { status: 200, headers: page, body: '<html>' },
    1,
    `<place> does not speak the Model Context Protocol. ${advice}`,
  ],
  [
    'other JSON',
    { status: 200, headers: { 'content-type': 'application/json' }, body: '{"a":1}' },
    1,
    `<place> does not speak the Model Context Protocol. ${advice}`,
  ],
  [
    'a proxy without its service',
    { status: 502, headers: page, body: '<html>' },
    1,
    '<place> responds with 502. Try again later.',
  ],
] as const)('%s is told in one line', async (_, response, exitCode, text) => {
  const address = await startService(() => response);
  const place = `${address.origin}/mcp`;
  expect(await failureAt(address)).toEqual({ exitCode, text: text.replace('<place>', place) });
});

test('a service that ends connections is told with the reason', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { exitCode, text } = await failureAt(new URL(`${origin}/mcp`));
  expect(exitCode).toBe(4);
  expect(text).toMatch(
    new RegExp(`^No connection to ${origin}: (other side closed|read ECONNRESET)$`),
  );
});

test('a service of the protocol connects', async () => {
  const address = await startService(
    () => new Server({ name: 'other', version: '1.0.0' }, { capabilities: { tools: {} } }),
  );
  const service = await connectToService({ address, key });
  expect(service.getServerVersion()?.name).toBe('other');
  await service.close();
});

test('a text keeps what is no key', () => {
  expect(withoutKeys(`error: unknown option '--key=${key}'\n`)).toBe(
    "error: unknown option '--key=atl_…'\n",
  );
  expect(withoutKeys('the key starts with atl_.')).toBe('the key starts with atl_.');
});
