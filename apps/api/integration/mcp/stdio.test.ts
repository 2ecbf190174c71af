// @module-tag slow

import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { connectAssistant } from '../../src/features/mcp/testing.ts';
import { newId } from '../../src/kernel/ids.ts';
import { newUser } from '../../src/testing/accounts.ts';
import { makeKey } from '../../src/testing/api-keys.ts';
import { call } from '../../src/testing/api.ts';
import { newProject } from '../../src/testing/board.ts';
import { newTeamOf } from '../../src/testing/organizations.ts';
import { setUpApi } from '../../src/testing/set-up.ts';
import { startProxyTo } from '../../src/testing/tcp-proxy.ts';
import { connectProgram, runProgram, startProgram } from './testing/program.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');
const team = await newTeamOf(api, owner);
const projectId = await newProject(api, team, 'Website');
const newKey = () =>
  makeKey(api, owner, {
    preset: 'contributor',
    organizationIds: [team.organizationId],
    expiresInDays: 30,
  });
const { key } = await newKey();
const { url } = api;

/** Returns the titles of the project, as a person sees them. */
async function titles(): Promise<string[]> {
  const { organizationId, token } = team;
  const query = { projectId, limit: 100 };
  const { body } = await call(api, 'tasks.list', { token, organizationId, query });
  return body.data.items.map(({ title }: { title: string }) => title);
}

describe.each(['auto', 'legacy'] as const)('a client over stdio (%s)', (era) => {
  test('sees what a client over HTTP sees', async () => {
    const [program, direct] = [
      await connectProgram({ url, key, era }),
      await connectAssistant(api, key, { era }),
    ];
    const { tools } = await program.listTools();
    expect(tools.length).toBeGreaterThan(20);
    expect(tools).toEqual((await direct.listTools()).tools);
    expect(program.getServerVersion()).toEqual(direct.getServerVersion());
    const { resourceTemplates } = await program.listResourceTemplates();
    expect(resourceTemplates.length).toBeGreaterThan(2);
    expect(resourceTemplates).toEqual((await direct.listResourceTemplates()).resourceTemplates);
    // A client of 2025 also gets what the service adds for newer ones, such as how long a result may be kept.
    expect(await program.listResources()).toMatchObject(await direct.listResources());
    const uri = `atelier://projects/${projectId}`;
    const read = await direct.readResource({ uri });
    expect(read.contents).toHaveLength(1);
    expect(await program.readResource({ uri })).toMatchObject(read);
    const whoami = { name: 'whoami', arguments: {} };
    const told = await direct.callTool(whoami);
    expect(told.structuredContent).toMatchObject({ key: { kind: expect.any(String) } });
    expect(await program.callTool(whoami)).toMatchObject(told);
  });

  test('creates a task, once for an idempotency key', async () => {
    const program = await connectProgram({ url, key, era });
    const title = `From a program – grüße (${era})`;
    const creation = {
      name: 'tasks_create',
      arguments: { projectId, title, idempotencyKey: newId() },
    };
    const made = await program.callTool(creation);
    expect(made).toMatchObject({ structuredContent: { title, projectId } });
    expect(made.isError).toBeUndefined();
    expect((await program.callTool(creation)).structuredContent).toEqual(made.structuredContent);
    expect((await titles()).filter((known) => known === title)).toEqual([title]);
  });

  test('reads why a call was refused', async () => {
    const program = await connectProgram({ url, key, era });
    const refused = await program.callTool({
      name: 'tasks_create',
      arguments: { projectId: newId(), title: 'Nowhere' },
    });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('"code":"not_found"') }],
    });
    expect(await titles()).not.toContain('Nowhere');
  });

  test('gets errors of the protocol with their code and message', async () => {
    const [program, direct] = [
      await connectProgram({ url, key, era }),
      await connectAssistant(api, key, { era }),
    ];
    for (const request of [
      { method: 'tools/call', params: { name: 'tasks_explode' } },
      { method: 'resources/read', params: { uri: `atelier://tasks/${newId()}` } },
    ] as const) {
      const [over, without] = await Promise.all(
        [program, direct].map((client) => client.request(request).catch((error: Error) => error)),
      );
      expect(without).toMatchObject({ code: expect.any(Number) });
      expect(over).toMatchObject({
        code: (without as unknown as { code: number }).code,
        message: (without as Error).message,
      });
    }
  });
});

test('options narrow the tools as the address does', async () => {
  const args = ['--toolsets', 'work,members', '--read-only'];
  const program = await connectProgram({ url, key, args });
  const direct = await connectAssistant(api, key, {
    query: 'toolsets=work,members&mode=read-only',
  });
  const { tools } = await program.listTools();
  expect(tools).toEqual((await direct.listTools()).tools);
  expect(tools.map(({ name }) => name)).toContain('tasks_get');
  expect(tools.map(({ name }) => name)).not.toContain('assets_get');
  expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
  const refused = await program.callTool({
    name: 'tasks_create',
    arguments: { projectId, title: 'Not by reading' },
  });
  expect(refused.isError).toBe(true);
  expect(await titles()).not.toContain('Not by reading');
});

describe('a start that fails says why in one line, and prints no key', () => {
  const wrong = `atl_pat_${'0'.repeat(46)}`;
  test.each([
    ['a wrong key', { key: wrong }, 3, 'The service refuses the key in ATELIER_KEY: '],
    ['an unknown toolset', { args: ['--toolsets', 'all'] }, 2, 'Invalid toolsets: expected names'],
    ['a wrong address', { url: `${url}/elsewhere` }, 1, '/elsewhere/mcp responds with 404'],
    ['no service', { url: 'http://127.0.0.1:9' }, 4, 'No connection to http://127.0.0.1:9: '],
    ['no key', { key: '' }, 2, 'Set ATELIER_KEY to an API key'],
  ] as const)('%s', async (_, change, exitCode, message) => {
    const start = { url, key, ...change };
    const run = await runProgram(start);
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(message);
    expect(run.stderr).toMatch(/^[^\n]+\n$/);
    if (start.key !== '') expect(run.stderr).not.toContain(start.key);
  });
});

test('a key that is revoked meanwhile is an error of each call', async () => {
  const { id, key: revoked } = await newKey();
  const program = await connectProgram({ url, key: revoked });
  expect((await program.callTool({ name: 'whoami' })).isError).toBeUndefined();
  const { token } = owner;
  const { status } = await call(api, 'apiKeys.revoke', { token, params: { id } });
  expect(status).toBe(200);
  const result = await program.callTool({ name: 'whoami' });
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^The service refuses the key in ATELIER_KEY: .+$/) }],
  });
  expect(JSON.stringify(result)).not.toContain(revoked);
  await expect(program.listTools()).rejects.toMatchObject({ code: -32_603 });
});

test('a service that stops and returns is an error of the calls between', async () => {
  const underWay = Promise.withResolvers<undefined>();
  const { proxy, url: through } = await startProxyTo(url, {
    onRequest(request) {
      if (!request.includes('Under way')) return 'pass';
      underWay.resolve(undefined);
      return 'swallow';
    },
  });
  const program = await connectProgram({ url: through, key });
  const create = (title: string) =>
    program.callTool({ name: 'tasks_create', arguments: { projectId, title } });
  expect((await create('Before')).isError).toBeUndefined();
  const interrupted = create('Under way');
  await underWay.promise;
  proxy.cut();
  for (const failed of [interrupted, create('Between'), create('Between again')]) {
    expect(await failed).toMatchObject({
      isError: true,
      content: [
        { text: expect.stringMatching(/^No connection to http:\/\/127\.0\.0\.1:\d+: .+$/) },
      ],
    });
  }
  proxy.restore();
  expect((await create('After')).isError).toBeUndefined();
  const known = await titles();
  expect(known).toEqual(expect.arrayContaining(['Before', 'After']));
  expect(known.filter((title) => /^(Under way|Between)/.test(title))).toEqual([]);
  await proxy.close();
});

test('twenty calls at once get each its own response', async () => {
  const program = await connectProgram({ url, key });
  const wanted = Array.from({ length: 20 }, (_, index) => `Task ${index}`);
  const results = await Promise.all(
    wanted.map((title) =>
      program.callTool({ name: 'tasks_create', arguments: { projectId, title } }),
    ),
  );
  const got = results.map(({ structuredContent }) => structuredContent as { title: string });
  expect(got.map(({ title }) => title)).toEqual(wanted);
  expect(await titles()).toEqual(expect.arrayContaining(wanted));
});

test('the output is messages of the protocol only, also after input that is none', async () => {
  const child = startProgram({ url, key });
  const output = text(child.stdout);
  const request = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const clientInfo = { name: 'raw', version: '1' };
  const protocolVersion = '2025-06-18';
  child.stdin.write('not a message\n{"jsonrpc":"2.0"}\n');
  child.stdin.write(
    request(1, 'initialize', { protocolVersion, capabilities: {}, clientInfo }) +
      request(2, 'tools/list', {}) +
      request(3, 'no/such', {}),
  );
  await new Promise<void>((resolve) => {
    let seen = '';
    child.stdout.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.split('\n').length > 3) resolve();
    });
  });
  child.stdin.end();
  const [exitCode] = (await once(child, 'exit')) as [number];
  expect(exitCode).toBe(0);
  const messages = (await output)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { jsonrpc: string; id: number });
  expect(messages.map(({ jsonrpc }) => jsonrpc)).toEqual(['2.0', '2.0', '2.0']);
  expect(messages.map(({ id }) => id).toSorted()).toEqual([1, 2, 3]);
});
