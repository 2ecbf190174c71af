import { and, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Executor } from '../../../src/db/executor.ts';
import { organizations, sessions, users } from '../../../src/db/generated/schema.ts';
import { coordinatorRead, statement } from '../../../src/db/session/statement.ts';
import { newUser, type TestUser } from '../../../src/testing/accounts.ts';
import { call } from '../../../src/testing/api.ts';
import { newDistributedDatabase } from '../../../src/testing/citus/databases.ts';
import { sentStatements } from '../../../src/testing/recorded-statements.ts';
import { setUpApi } from '../../../src/testing/set-up.ts';

vi.mock('postgres', async (original) => {
  const { recordingDriver } = await import('../../../src/testing/recorded-statements.ts');
  return recordingDriver(original);
});

const api = await setUpApi({}, { databaseUrl: await newDistributedDatabase() });

/** A table of the coordinator, one of every server, and another under a second name that may lack a row. */
const build = (db: Executor) =>
  db
    .select({
      sessionId: sessions.id,
      firstName: users.firstName,
      createdAt: users.createdAt,
      organization: organizations.name,
      sameNames: sql<number>`(
        select count(*) from users others where others.first_name = ${users.firstName})::int`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(
      organizations,
      and(eq(organizations.ownerId, users.id), eq(organizations.type, sql.placeholder('type'))),
    )
    .where(eq(users.id, sql.placeholder('userId')));
const planned = statement(build);
const read = coordinatorRead(build);

let user: TestUser;
const wanted = (type = 'PERSONAL') => ({ userId: user.id, type });

beforeAll(async () => {
  // Until the server has told, the statement is sent as it is.
  expect(await api.deps.isDistributed()).toBe(true);
  user = await newUser(api);
});

describe('a read of what the coordinator has', () => {
  test.each(['PERSONAL', 'TEAM'])('has the rows of the statement: %s', async (type) => {
    const rows = await planned(api.db, wanted(type));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.organization === null).toBe(type === 'TEAM');
    expect(await read(api.db, wanted(type))).toEqual(rows);
  });

  test('is planned by Postgres alone', async () => {
    const plansOf = async (run: typeof read) => {
      sentStatements.length = 0;
      await run(api.db, wanted());
      const [sent] = sentStatements;
      return api.db.execute(sql.raw(`explain (generic_plan) ${sent?.text}`));
    };
    // Citus explains none of its own without values.
    await expect(plansOf(planned)).rejects.toMatchObject({
      cause: { routine: expect.stringMatching(/Citus/) },
    });
    expect(JSON.stringify(await plansOf(read))).not.toContain('Citus');
  });

  test('sees a change that is committed, and one of its transaction', async () => {
    for (const firstName of ['Ada', 'Grace']) {
      await api.db.update(users).set({ firstName }).where(eq(users.id, user.id));
      expect(await read(api.db, wanted())).toMatchObject([{ firstName }]);
    }
    await api.db
      .transaction(async (tx) => {
        await tx.update(users).set({ firstName: 'Later' }).where(eq(users.id, user.id));
        expect(await read(tx, wanted())).toMatchObject([{ firstName: 'Later' }]);
        expect(await read(api.db, wanted())).toMatchObject([{ firstName: 'Grace' }]);
        tx.rollback();
      })
      .catch((error: unknown) => expect(error).toMatchObject({ message: 'Rollback' }));
    expect(await read(api.db, wanted())).toMatchObject([{ firstName: 'Grace' }]);
  });
});

test('a request finds its caller so', async () => {
  const { token, organizationId } = user;
  sentStatements.length = 0;
  const headers = { 'x-organization-id': organizationId };
  expect((await call(api, 'auth.user', { token })).status).toBe(200);
  expect((await call(api, 'tasks.list', { token, headers })).status).toBe(200);
  const ofSessions = sentStatements.filter(({ text }) => /\bfrom "sessions"/.test(text));
  expect(ofSessions).toHaveLength(2);
  for (const { text } of ofSessions) {
    expect(text).toMatch(/^with "users" as not materialized \(select \* from "users_\d+"\)/);
  }
});
