import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { issueApiKey } from '../../kernel/api-keys.ts';
import { logIn, newUser, type TestUser } from '../../testing/accounts.ts';
import { call, startTestApi, type CallOptions, type TestApi } from '../../testing/api.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { sentStatements } from '../../testing/recorded-statements.ts';
import { makeKey } from '../../testing/api-keys.ts';

vi.mock('postgres', async (original) => {
  const { recordingDriver } = await import('../../testing/recorded-statements.ts');
  return recordingDriver(original);
});

let api: TestApi;
let member: TestUser;
let teamId: string;

beforeAll(async () => {
  const before = await startTestApi();
  const owner = await newUser(before);
  member = await newUser(before);
  teamId = (await newTeam(before, owner)).id;
  await joinTeam(before, teamId, member, 'MEMBER');
  await before.close();
  const { clock, config } = before;
  // Jobs run elsewhere: their statements don't count.
  api = await startTestApi({ JOBS: 'separate' }, { clock, databaseUrl: config.DATABASE_URL });
});
afterAll(() => api.close());

const ofTeam = (allowed: readonly string[]) => ({ scopes: allowed, organizationIds: [teamId] });
const listTasks = (key: string, options: CallOptions = {}) =>
  call(api, 'tasks.list', { token: key, ...options });
const newProject = (key: string) =>
  call(api, 'projects.create', {
    token: key,
    organizationId: teamId,
    body: { name: 'By a program' },
  });

test('a request with a key asks the database as often as one with a session', async () => {
  const { key } = await makeKey(api, member, ofTeam(['project:create', 'task:read']));
  const { token } = await logIn(api, member);
  const statementsOf = async (work: () => Promise<unknown>) => {
    sentStatements.length = 0;
    await work();
    // Announcements follow the response, one for several changes.
    return sentStatements.filter(({ text }) => !text.includes('pg_notify')).length;
  };
  for (const [name, request] of Object.entries({
    read: (bearer: string) => listTasks(bearer, { organizationId: teamId }),
    change: (bearer: string) => newProject(bearer),
  })) {
    await request(key);
    await request(token);
    const [byKey, bySession] = [
      await statementsOf(() => request(key)),
      await statementsOf(() => request(token)),
    ];
    expect([name, byKey]).toEqual([name, bySession]);
  }
});

test('a request whose key has a wrong checksum asks nothing', async () => {
  const { key } = await makeKey(api, member, ofTeam(['task:read']));
  const wrong = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  sentStatements.length = 0;
  const response = await listTasks(wrong);
  expect([response.status, response.body.code]).toEqual([401, 'unauthenticated']);
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
  expect(sentStatements).toEqual([]);
  expect((await listTasks(issueApiKey('PERSONAL').key)).status).toBe(401);
});

test('a key notes its time and address with those of other keys, not at once', async () => {
  const made = await Promise.all([1, 2].map(() => makeKey(api, member, ofTeam(['task:read']))));
  await Promise.all(made.map(({ key }) => listTasks(key)));
  const usedAt = async () => {
    const { token } = await logIn(api, member);
    const { body } = await call(api, 'apiKeys.list', { token });
    return body.data.items
      .filter(({ id }: { id: string }) => made.some((one) => one.id === id))
      .map(({ lastUsedAt }: { lastUsedAt: string | null }) => lastUsedAt);
  };
  expect(await usedAt()).toEqual([null, null]);
  sentStatements.length = 0;
  await api.app.apiKeyUses.write();
  expect(sentStatements).toHaveLength(1);
  await api.app.apiKeyUses.write();
  expect(sentStatements).toHaveLength(1);
  expect(await usedAt()).toEqual([expect.any(String), expect.any(String)]);
});
