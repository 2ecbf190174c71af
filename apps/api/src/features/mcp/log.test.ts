// @module-tag slow

import { afterEach, expect, test } from 'vitest';
import { newUser } from '../../testing/accounts.ts';
import { endApiProcesses, startApiProcess } from '../../testing/api-process.ts';
import { cloneDatabase, testEnvironment } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { callOnce, keyFor, sendMessage, sendText } from './testing.ts';

afterEach(endApiProcesses);

test('no line of the log, of any level, has a key or an argument', async () => {
  const databaseUrl = await cloneDatabase();
  const unlogged = await setUpApi({}, { databaseUrl });
  const owner = await newUser(unlogged, 'owner');
  const { key } = await keyFor(unlogged, owner, [owner.organizationId]);
  const api = await startApiProcess({
    ...testEnvironment(databaseUrl),
    LOG_LEVEL: 'trace',
  });
  const secret = (name: string) => `argument-${name}-7f3a`;
  const made = await callOnce(api, key, {
    name: 'projects_create',
    input: { name: secret('body'), idempotencyKey: secret('header') },
    headers: { 'x-request-id': 'logged-1' },
  });
  expect(made.isError).toBe(false);
  for (const [name, input] of [
    ['projects_list', { q: secret('query') }],
    ['projects_get', { id: secret('path') }],
    ['projects_get', { [secret('name')]: 1 }],
    ['projects_update', { id: made.data.id, name: 1, ifMatch: secret('if-match') }],
    ['assets_read_text', { id: secret('own') }],
    ['assets_upload_small', { content: secret('content') }],
    [secret('tool'), {}],
  ] as const) {
    const params = { name, arguments: input };
    const message = { jsonrpc: '2.0', id: secret('id'), method: 'tools/call', params };
    expect((await sendMessage(api, message, { key })).status).toBe(200);
  }
  for (const message of [
    { jsonrpc: '2.0', id: 1, method: secret('method') },
    { jsonrpc: '2.0', id: {}, method: 'tools/call', params: { name: secret('malformed') } },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: { x: secret('typed') } } },
    { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: secret('uri') } },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: [secret('list')] },
  ]) {
    const { status } = await sendMessage(api, message, { key });
    expect(status).toBeLessThan(500);
  }
  await sendText(api, `{"x":"${secret('cut')}"`, { key });
  await sendMessage(api, { jsonrpc: '2.0', id: 1, method: 'ping' }, { key: `${key}x` });
  const query = `mode=${secret('mode')}`;
  await sendMessage(api, { jsonrpc: '2.0', id: 1, method: 'ping' }, { key, query });

  api.kill('SIGTERM');
  expect(await api.exited()).toBe(0);
  const lines = api
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  expect(lines.filter((line) => line.includes(key) || line.includes('7f3a'))).toEqual([]);
  // The message and what it requested are found by one id.
  const ofOne = lines
    .map((line) => JSON.parse(line))
    .filter((line) => line.requestId === 'logged-1');
  const routes = ofOne.map(({ route, status }) => [route, status]).filter(([route]) => route);
  expect(routes).toEqual([
    ['/api/auth/api-keys/current', 200],
    ['/api/projects', 201],
    ['/mcp', 200],
  ]);
  expect(lines.filter((line) => /"level":[5-6]0/.test(line))).toEqual([]);
});
