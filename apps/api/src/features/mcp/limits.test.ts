import { describe, expect, test } from 'vitest';
import { newUser } from '../../testing/accounts.ts';
import { call, cloneDatabase } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { callOnce, connectAssistant, keyFor, sendMessage } from './testing.ts';

const databaseUrl = await cloneDatabase();
const [strict, unlimited] = await Promise.all([
  setUpApi({ RATE_LIMIT_ENABLED: 'true', RATE_LIMIT_DEFAULT_PER_CALLER: '5' }, { databaseUrl }),
  setUpApi({}, { databaseUrl }),
]);

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const list = { name: 'projects_list', input: {} };

/** A key of an account that has not sent anything yet to the strict service. */
async function freshKey() {
  const owner = await newUser(unlimited, 'owner');
  const { key } = await keyFor(unlimited, owner, [owner.organizationId]);
  return { owner, key };
}

describe('requests of a caller', () => {
  test('are drawn by messages and by what their tools request; then the tool is refused, and then the message', async () => {
    const { key } = await freshKey();
    // Each draws twice: for the key, and for the list.
    expect((await callOnce(strict, key, list)).isError).toBe(false);
    expect((await callOnce(strict, key, list)).isError).toBe(false);
    const tool = await callOnce(strict, key, list);
    expect([tool.isError, JSON.parse(tool.text)]).toEqual([
      true,
      {
        message: 'Too many requests; try again later',
        code: 'rate_limited',
        requestId: tool.headers.get('x-request-id'),
      },
    ]);
    const message = await sendMessage(strict, ping, { key });
    expect([message.status, message.body.code]).toEqual([429, 'rate_limited']);
    const seconds = Number(message.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
  });

  test('are those of its key over HTTP, and not those of its person', async () => {
    const { owner, key } = await freshKey();
    expect((await sendMessage(strict, ping, { key })).status).toBe(200);
    const left = async (token: string) =>
      (await call(strict, 'projects.list', { token })).headers.get('ratelimit');
    expect(await left(key)).toMatch(/^"default";r=3;/);
    expect(await left(owner.token)).toMatch(/^"default";r=4;/);
  });

  test('do not affect others', async () => {
    const [first, second] = [await freshKey(), await freshKey()];
    for (let count = 0; count < 6; count += 1) {
      await sendMessage(strict, ping, { key: first.key });
    }
    expect((await sendMessage(strict, ping, { key: first.key })).status).toBe(429);
    expect((await sendMessage(strict, ping, { key: second.key })).status).toBe(200);
  });
});

test("the protocol's own client is told when a message is refused", async () => {
  const { key } = await freshKey();
  const client = await connectAssistant(strict, key);
  const calls = Array.from({ length: 6 }, () => client.callTool({ name: 'whoami' }));
  const outcomes = await Promise.allSettled(calls);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  expect(String(Object(refused[0]).reason)).toContain('rate_limited');
});
