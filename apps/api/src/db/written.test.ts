import { asc, eq, sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cloneDatabase } from '../testing/api.ts';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';
import { connectDatabase, type DatabaseConnection } from './client.ts';
import type { Executor } from './executor.ts';
import type { AroundStatement } from '../ports/telemetry.ts';
import { placeholdersOf, writtenOnce } from './written.ts';

const things = pgTable('things', {
  id: integer().primaryKey(),
  word: text(),
  seenAt: timestamp('seen_at', { withTimezone: true, precision: 3 }),
  marks: jsonb().$type<unknown>(),
});

let ways: TcpProxy[] = [];
let connection: DatabaseConnection;
/** The raw text of every message to the database. */
let sent: string[];

/** With one connection. */
async function connect(aroundStatement?: AroundStatement): Promise<DatabaseConnection> {
  const url = new URL(await cloneDatabase());
  sent = [];
  const way = await startTcpProxy(Number(url.port), {
    onRequest(request) {
      sent.push(request);
      return 'pass';
    },
  });
  ways.push(way);
  url.port = String(way.port);
  return connectDatabase({
    url: url.href,
    maxConnections: 1,
    statementTimeoutMs: 5_000,
    aroundStatement,
  });
}

async function makeTable({ db }: DatabaseConnection): Promise<void> {
  await db.execute(
    sql`create table things (id int primary key, word text, seen_at timestamptz(3), marks jsonb)`,
  );
}

beforeEach(async () => {
  connection = await connect();
  await makeTable(connection);
});
afterEach(async () => {
  await connection.close(1);
  for (const way of ways) await way.close();
  ways = [];
});

function countingWrites() {
  let writes = 0;
  const wordOf = writtenOnce((executor) => {
    writes += 1;
    return executor
      .select({ word: things.word })
      .from(things)
      .where(eq(things.id, sql.placeholder('id')))
      .prepare('word_of');
  });
  return { wordOf, writes: () => writes };
}

/** Texts that the one connection has prepared. */
async function preparedTexts(executor: Executor): Promise<string[]> {
  const rows = await executor.execute<{ statement: string }>(
    sql`select statement from pg_prepared_statements`,
  );
  return rows.map(({ statement }) => statement);
}

test('it is built once, prepared once, and runs in every transaction and outside', async () => {
  const { db } = connection;
  const { wordOf, writes } = countingWrites();
  await db.insert(things).values({ id: 1, word: 'one' });
  for (let times = 0; times < 3; times += 1) {
    expect(await db.transaction((tx) => wordOf(tx).execute({ id: 1 }))).toEqual([{ word: 'one' }]);
  }
  expect(await wordOf(db).execute({ id: 2 })).toEqual([]);
  expect(writes()).toBe(1);
  const prepared = await preparedTexts(db);
  expect(prepared.filter((statement) => statement.includes('"word"'))).toHaveLength(1);
});

test('it runs on the given database, not on the one that it was built for', async () => {
  const { wordOf, writes } = countingWrites();
  await connection.db.insert(things).values({ id: 1, word: 'here' });
  await wordOf(connection.db).execute({ id: 1 });
  const other = await connect();
  await makeTable(other);
  await other.db.insert(things).values({ id: 1, word: 'there' });
  expect(await wordOf(other.db).execute({ id: 1 })).toEqual([{ word: 'there' }]);
  expect(await wordOf(connection.db).execute({ id: 1 })).toEqual([{ word: 'here' }]);
  expect(writes()).toBe(1);
  await other.close(1);
});

describe('several that don’t wait for each other', () => {
  const append = writtenOnce((executor) =>
    executor
      .update(things)
      .set({ word: sql`${things.word} || ${sql.placeholder('more')}::text` })
      .where(eq(things.id, 1))
      .prepare('append'),
  );
  const appendBefore = writtenOnce((executor) =>
    executor
      .update(things)
      .set({ word: sql`${sql.placeholder('more')}::text || ${things.word}` })
      .where(eq(things.id, 1))
      .prepare('append_before'),
  );
  const words = writtenOnce((executor) =>
    executor
      .select({ word: things.word })
      .from(things)
      .where(sql`${sql.placeholder('more')}::text is not null`)
      .prepare('words'),
  );

  const later: AroundStatement = async (_text, run) => {
    await Promise.resolve();
    return run();
  };
  test.each([
    ['', undefined],
    [' while each is observed', later],
  ])('take effect in order%s', async (_, around) => {
    const observed = await connect(around);
    await makeTable(observed);
    await observed.db.insert(things).values({ id: 1, word: '|' });
    // The first time they are not prepared yet.
    for (const expected of ['ca|bd', 'caca|bdbd', 'cacaca|bdbdbd']) {
      const answers = await observed.db.transaction((tx) =>
        Promise.all([
          appendBefore(tx).execute({ more: 'a' }),
          append(tx).execute({ more: 'b' }),
          appendBefore(tx).execute({ more: 'c' }),
          append(tx).execute({ more: 'd' }),
          words(tx).execute({ more: '' }),
        ]),
      );
      expect(answers[4]).toEqual([{ word: expected }]);
    }
    await observed.close(1);
  });

  test('are sent together', async () => {
    const { db } = connection;
    await db.insert(things).values({ id: 1, word: '' });
    const all = () =>
      db.transaction((tx) =>
        Promise.all([
          append(tx).execute({ more: 'first' }),
          words(tx).execute({ more: 'second' }),
          append(tx).execute({ more: 'third' }),
        ]),
      );
    await all();
    sent = [];
    await all();
    const together = sent.filter((request) => request.includes('first'));
    expect(together).toEqual([expect.stringMatching(/first.*second.*third/s)]);
  });

  test('fail with the error of the first that fails, and change nothing', async () => {
    const { db } = connection;
    await db.insert(things).values({ id: 1, word: 'kept' });
    const insert = writtenOnce((executor) =>
      executor
        .insert(things)
        .values(placeholdersOf(things, ['id', 'word', 'seenAt', 'marks']))
        .prepare('insert_thing'),
    );
    const failed = db.transaction((tx) =>
      Promise.all([
        append(tx).execute({ more: 'lost' }),
        insert(tx).execute({ id: 1, word: null, seenAt: null, marks: null }),
        words(tx).execute({ more: '' }),
      ]),
    );
    await expect(failed).rejects.toMatchObject({ cause: { code: '23505' } });
    expect(await words(db).execute({ more: '' })).toEqual([{ word: 'kept' }]);
  });
});

test('placeholders take the values of their columns, and null', async () => {
  const { db } = connection;
  const insert = writtenOnce((executor) =>
    executor
      .insert(things)
      .values(placeholdersOf(things, ['id', 'word', 'seenAt', 'marks']))
      .prepare('insert_thing'),
  );
  const rows = [
    { id: 1, word: 'one', seenAt: new Date('2026-01-02T03:04:05.678Z'), marks: [{ a: 'ü' }] },
    { id: 2, word: null, seenAt: null, marks: null },
    { id: 3, word: '', seenAt: new Date(0), marks: {} },
  ];
  await db.transaction(async (tx) => {
    for (const row of rows) await insert(tx).execute(row);
  });
  expect(await db.select().from(things).orderBy(asc(things.id))).toEqual(rows);
  await expect(insert(db).execute({ id: 4 })).rejects.toThrow('word');
});

test('nested fields and unprepared statements are refused at the first use', () => {
  const nested = writtenOnce((executor) =>
    executor
      .select({ thing: { id: things.id } })
      .from(things)
      .prepare('nested'),
  );
  const unprepared = writtenOnce((executor) => executor.select({ id: things.id }).from(things));
  expect(() => nested(connection.db)).toThrow('Nested fields');
  expect(() => unprepared(connection.db)).toThrow('.prepare(name)');
});

describe('a statement that the query builder writes each time', () => {
  const ask = (executor: Executor) =>
    executor.select({ id: things.id }).from(things).where(eq(things.id, 7));
  const timesPrepared = async () =>
    (await preparedTexts(connection.db)).filter((statement) => statement.includes('"id" = $1'));

  test('is prepared in transactions from its second run on', async () => {
    await connection.db.transaction(async (tx) => ask(tx));
    expect(await timesPrepared()).toHaveLength(0);
    for (let times = 0; times < 3; times += 1) {
      await connection.db.transaction(async (tx) => ask(tx));
    }
    expect(await timesPrepared()).toHaveLength(1);
  });

  test('is planned for its values outside of transactions', async () => {
    for (let times = 0; times < 3; times += 1) await ask(connection.db);
    expect(await timesPrepared()).toHaveLength(0);
  });
});
