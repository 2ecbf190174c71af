import { and, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Executor } from '../../../src/db/executor.ts';
import { tasks, users } from '../../../src/db/generated/schema.ts';
import { preparedRead, preparedReads, statement } from '../../../src/db/session/statement.ts';
import { newUser, type TestUser } from '../../../src/testing/accounts.ts';
import { call } from '../../../src/testing/api.ts';
import { moveOrganization, newDistributedDatabase } from '../../../src/testing/citus/databases.ts';
import { sentStatements } from '../../../src/testing/recorded-statements.ts';
import { setUpApi } from '../../../src/testing/set-up.ts';
import { newProject, newTask } from '../../../src/testing/work.ts';

vi.mock('postgres', async (original) => {
  const { recordingDriver } = await import('../../../src/testing/recorded-statements.ts');
  return recordingDriver(original);
});

const api = await setUpApi({}, { databaseUrl: await newDistributedDatabase() });

const value = sql.placeholder;

/** A table twice, one of every server, text with each kind of quote, dates, nulls and JSON. */
const build = (db: Executor) =>
  db
    .select({
      id: tasks.id,
      title: tasks.title,
      createdAt: tasks.createdAt,
      completedAt: tasks.completedAt,
      number: tasks.number,
      isFirst: sql<boolean>`${tasks.number} = 1`,
      earlier: sql<string[]>`(
        select coalesce(json_agg(tasks.title order by tasks.number), '[]') from tasks
        where tasks.organization_id = ${value('organizationId')} and tasks.number < ${value('number')}::int)`,
      author: users.email,
    })
    .from(tasks)
    .leftJoin(users, eq(users.id, tasks.createdBy))
    .where(
      and(
        eq(tasks.organizationId, value('organizationId')),
        sql`(${value('title')}::text is null or ${tasks.title} = ${value('title')})`,
      ),
    )
    .orderBy(tasks.number);
const planned = statement(build);
const prepared = preparedRead(build);

/** With values of its own, before and after the one that both have. */
const buildOther = (db: Executor) =>
  db
    .select({
      last: sql<number | null>`max(${tasks.number})`,
      most: sql<string>`${value('most')}::text`,
    })
    .from(tasks)
    .where(
      and(
        eq(tasks.organizationId, value('organizationId')),
        sql`${tasks.number} <= ${value('most')}::int`,
      ),
    );
const planOfOther = statement(buildOther);
const both = preparedReads((db) => [build(db), buildOther(db)]);

let user: TestUser;
let projectId: string;

beforeAll(async () => {
  // Until the server has told, the statement is sent as it is.
  expect(await api.deps.isDistributed()).toBe(true);
  user = await newUser(api);
  projectId = await newProject(api, user);
  for (const title of [`it's "one"`, 'back\\slash %s $1 {x}', 'three']) {
    await newTask(api, user, { projectId, title });
  }
});

const wanted = (title: string | null = null) => ({
  organizationId: user.organizationId,
  number: 3,
  title,
});

describe('a read that the server of its organization prepares', () => {
  test.each([null, `it's "one"`, 'back\\slash %s $1 {x}', 'none'])(
    'has the rows of the statement: %s',
    async (title) => {
      const rows = await planned(api.db, wanted(title));
      expect(rows).toHaveLength(title === null ? 3 : title === 'none' ? 0 : 1);
      expect(await prepared(api.db, wanted(title))).toEqual(rows);
    },
  );

  test('has no rows of another organization', async () => {
    const { organizationId } = await newUser(api);
    expect(await prepared(api.db, { ...wanted(), organizationId })).toEqual([]);
  });

  test('sees the changes of its transaction, also those that are sent just before it', async () => {
    await api.db
      .transaction(async (tx) => {
        const isThird = and(eq(tasks.organizationId, user.organizationId), eq(tasks.number, 3));
        const [, rows] = await Promise.all([
          tx.update(tasks).set({ title: 'changed' }).where(isThird).then(),
          prepared(tx, wanted('changed')),
        ]);
        expect(rows).toMatchObject([{ number: 3, title: 'changed' }]);
        tx.rollback();
      })
      .catch((error: unknown) => expect(error).toMatchObject({ message: 'Rollback' }));
    expect(await prepared(api.db, wanted('changed'))).toEqual([]);
  });

  test('follows its organization to another server, and back', async () => {
    for (const title of ['three', 'moved once', 'moved twice']) {
      const [row] = await prepared(api.db, wanted(title));
      expect(row).toMatchObject({ number: 3, title });
      await moveOrganization(api.db, user.organizationId);
      const next = title === 'three' ? 'moved once' : 'moved twice';
      const response = await call(api, 'tasks.update', {
        token: user.token,
        params: { id: String(row?.id) },
        body: { title: next },
      });
      expect(response.status).toBe(200);
    }
    expect(await prepared(api.db, wanted('moved twice'))).toEqual(
      await planned(api.db, wanted('moved twice')),
    );
  });

  test('is prepared anew when its connection has prepared many others', async () => {
    const { organizationId } = user;
    for (let n = 0; n < 450; n += 1) {
      const numbered = preparedRead((db) =>
        db
          .select({ n: sql<number>`${sql.raw(String(n))}`, number: tasks.number })
          .from(tasks)
          .where(and(eq(tasks.organizationId, value('organizationId')), eq(tasks.number, 1))),
      );
      expect(await numbered(api.db, { organizationId })).toEqual([{ n, number: 1 }]);
    }
    expect(await prepared(api.db, wanted())).toEqual(await planned(api.db, wanted()));
  }, 60_000);

  test('changes nothing', async () => {
    const changing = preparedRead((db) => {
      const gone = db.$with('gone').as(
        db
          .delete(tasks)
          .where(eq(tasks.organizationId, value('organizationId')))
          .returning({ id: tasks.id }),
      );
      return db.with(gone).select({ id: gone.id }).from(gone);
    });
    const before = await planned(api.db, wanted());
    await expect(changing(api.db, { organizationId: user.organizationId })).rejects.toThrow();
    expect(await planned(api.db, wanted())).toEqual(before);
  });
});

describe('two such reads in one call', () => {
  const values = (title: string | null, most: number) => ({ ...wanted(title), most });

  test.each([
    [null, 2],
    [`it's "one"`, 3],
    ['back\\slash %s $1 {x}', 0],
    ['none', 0],
  ])('have the rows of both statements: %s, %s', async (title, most) => {
    const ofBoth = await both(api.db, values(title, most));
    expect(ofBoth[1]).toEqual([{ last: most === 0 ? null : most, most: String(most) }]);
    expect(ofBoth).toEqual([
      await planned(api.db, wanted(title)),
      await planOfOther(api.db, values(title, most)),
    ]);
  });

  test('see the changes of their transaction', async () => {
    await api.db
      .transaction(async (tx) => {
        const isThird = and(eq(tasks.organizationId, user.organizationId), eq(tasks.number, 3));
        const [, [rows, other]] = await Promise.all([
          tx.update(tasks).set({ title: 'changed', number: 7 }).where(isThird).then(),
          both(tx, values('changed', 9)),
        ]);
        expect(rows).toMatchObject([{ number: 7, title: 'changed' }]);
        expect(other).toEqual([{ last: 7, most: '9' }]);
        tx.rollback();
      })
      .catch((error: unknown) => expect(error).toMatchObject({ message: 'Rollback' }));
  });
});

test('a page of tasks and its total are one call', async () => {
  const options = { token: user.token, query: { limit: '20' } };
  sentStatements.length = 0;
  const listed = await call(api, 'tasks.list', options);
  expect(listed.body.data.pagination).toMatchObject({ total: 3 });
  expect(listed.body.data.items).toHaveLength(3);
  const ofTasks = sentStatements.filter(({ parameters }) =>
    /\bfrom "tasks"/.test(String(parameters[2])),
  );
  expect(ofTasks.map(({ parameters }) => String(parameters[2]).includes('"counted"'))).toEqual([
    true,
  ]);
});

test('the tasks of a board are read so', async () => {
  sentStatements.length = 0;
  const { token } = user;
  const board = await call(api, 'tasks.listInProject', { token, params: { projectId } });
  expect(board.body.data.items).toHaveLength(3);
  const isOfTasks = ({ text }: { text: string }) => /\bfrom "tasks"/.test(text);
  expect(sentStatements.filter(isOfTasks)).toEqual([]);
  expect(sentStatements.some(({ text }) => text.startsWith('select read_on_its_server('))).toBe(
    true,
  );
});
