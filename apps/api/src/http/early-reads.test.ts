import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { sessions } from '../db/generated/schema.ts';
import { newUser, type TestUser } from '../testing/accounts.ts';
import { makeKey } from '../testing/api-keys.ts';
import { call } from '../testing/api.ts';
import { untilFollowed, untilIdle } from '../testing/library.ts';
import { joinTeam, newTeam } from '../testing/organizations.ts';
import { setUpApi } from '../testing/set-up.ts';
import { newProject, newTask } from '../testing/work.ts';
import { createEarlyReads } from './early-reads.ts';

const api = await setUpApi({ KNOWN_PAGES_MAX_BYTES: '0' });
const [owner, member] = [await newUser(api), await newUser(api)];
const { id: organizationId } = await newTeam(api, owner);
await joinTeam(api, organizationId, member, 'MEMBER');
const projectId = await newProject(api, owner, { organizationId });

const list = ({ token }: Pick<TestUser, 'token'>, named: { organizationId?: string }) =>
  call(api, 'tasks.list', { token, ...named });

async function titlesOf(user: Pick<TestUser, 'token'>, named: { organizationId?: string }) {
  const { body } = await list(user, named);
  return body.data.items.map(({ title }: { title: string }) => title);
}

async function addTask(title: string): Promise<void> {
  await newTask(api, owner, { projectId, organizationId, title });
}

async function setStatus(status: 'ACTIVE' | 'SUSPENDED'): Promise<void> {
  await api.db.execute(sql`
    update memberships set status = ${status}
    where organization_id = ${organizationId} and user_id = ${member.id}`);
}

/** Jobs read tasks, too. */
async function untilQuiet(): Promise<void> {
  await untilFollowed(api);
  await untilIdle(api);
}

/** The statements of a list: its page and its total. */
const readOnce = 2;

/** Counts the statements that wait for a table. */
async function waitingFor(table: string): Promise<number> {
  const [row] = await api.db.execute<{ waiting: number }>(sql`
    select count(*)::int as waiting from pg_locks
    where relation = ${table}::regclass and not granted`);
  return row?.waiting ?? 0;
}

describe('a list that the same caller has read', () => {
  test('is read while the caller is looked up', async () => {
    const named = { organizationId };
    await list(owner, named);
    await untilQuiet();
    const response = await api.db.transaction(async (tx) => {
      await tx.execute(sql`lock table sessions, tasks in access exclusive mode`);
      const requested = list(owner, named);
      // Without the sessions, the caller can't have been looked up.
      await expect.poll(() => waitingFor('tasks')).toBe(readOnce);
      // Awaited once the tables are free.
      return { requested };
    });
    expect((await response.requested).status).toBe(200);
  });

  test('has all that was changed before the request', async () => {
    const named = { organizationId };
    for (const title of ['first', 'second', 'third']) {
      await addTask(title);
      expect((await titlesOf(owner, named))[0]).toBe(title);
    }
  });

  test('is refused to members who were suspended, and read in vain only once', async () => {
    const named = { organizationId };
    expect((await list(member, named)).status).toBe(200);
    await setStatus('SUSPENDED');
    await untilQuiet();
    const refuse = async () => {
      const { status, body } = await list(member, named);
      expect([status, body.code]).toEqual([403, 'organization_access_denied']);
    };
    await api.db.transaction(async (tx) => {
      await tx.execute(sql`lock table tasks in access exclusive mode`);
      await refuse();
      await expect.poll(() => waitingFor('tasks')).toBe(readOnce);
      await refuse();
      await refuse();
      expect(await waitingFor('tasks')).toBe(readOnce);
    });
    await setStatus('ACTIVE');
    await addTask('since then');
    expect((await titlesOf(member, named))[0]).toBe('since then');
  });

  test('is refused to a session that has ended', async () => {
    const visitor = await newUser(api);
    expect((await list(visitor, {})).status).toBe(200);
    await api.db.delete(sessions).where(eq(sessions.userId, visitor.id));
    expect((await list(visitor, {})).status).toBe(401);
  });

  test('is that of the organization that a key selects by now', async () => {
    const person = await newUser(api);
    const { id: other } = await newTeam(api, person);
    const inOther = await newProject(api, person, { organizationId: other });
    await newTask(api, person, { projectId: inOther, organizationId: other, title: 'in the team' });
    const { id, key } = await makeKey(api, person, {
      scopes: ['task:read'],
      organizationIds: [other],
    });
    expect(await titlesOf({ token: key }, {})).toEqual(['in the team']);
    await api.db.execute(sql`
      update api_key_organizations set organization_id = ${person.organizationId} where api_key_id = ${id}`);
    expect(await titlesOf({ token: key }, {})).toEqual([]);
  });
});

test('only a read for members can start early', () => {
  const { declare } = createEarlyReads();
  expect(() => declare('tasks.create')).toThrow('tasks.create is not a read for members');
  expect(() => declare('timeline.mine')).toThrow('timeline.mine is not a read for members');
});
