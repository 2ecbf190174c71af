import { asc, eq, sql } from 'drizzle-orm';
import { alias, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/postgres-js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cloneDatabase } from '../../testing/api.ts';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts';
import { connectDatabase, type DatabaseConnection } from '../client.ts';
import type { Executor } from '../executor.ts';
import type { ObserveStatement } from '../../ports/telemetry.ts';
import { lockingStatement, placeholdersOf, statement, statementByShape } from './statement.ts';

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
async function connect(observeStatement?: ObserveStatement): Promise<DatabaseConnection> {
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
    observeStatement,
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
  const wordOf = statement((executor) => {
    writes += 1;
    return executor
      .select({ word: things.word })
      .from(things)
      .where(eq(things.id, sql.placeholder('id')));
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
    expect(await db.transaction((tx) => wordOf(tx, { id: 1 }))).toEqual([{ word: 'one' }]);
  }
  expect(await wordOf(db, { id: 2 })).toEqual([]);
  expect(writes()).toBe(1);
  const prepared = await preparedTexts(db);
  expect(prepared.filter((statement) => statement.includes('"word"'))).toHaveLength(1);
});

test('it runs on the given database, not on the one that it was built for', async () => {
  const { wordOf, writes } = countingWrites();
  await connection.db.insert(things).values({ id: 1, word: 'here' });
  await wordOf(connection.db, { id: 1 });
  const other = await connect();
  await makeTable(other);
  await other.db.insert(things).values({ id: 1, word: 'there' });
  expect(await wordOf(other.db, { id: 1 })).toEqual([{ word: 'there' }]);
  expect(await wordOf(connection.db, { id: 1 })).toEqual([{ word: 'here' }]);
  expect(writes()).toBe(1);
  await other.close(1);
});

describe('several that don’t wait for each other', () => {
  const append = statement((executor) =>
    executor
      .update(things)
      .set({ word: sql`${things.word} || ${sql.placeholder('more')}::text` })
      .where(eq(things.id, 1)),
  );
  const appendBefore = statement((executor) =>
    executor
      .update(things)
      .set({ word: sql`${sql.placeholder('more')}::text || ${things.word}` })
      .where(eq(things.id, 1)),
  );
  const words = statement((executor) =>
    executor
      .select({ word: things.word })
      .from(things)
      .where(sql`${sql.placeholder('more')}::text is not null`),
  );

  test('take effect in order', async () => {
    const { db } = connection;
    await db.insert(things).values({ id: 1, word: '|' });
    // The first time they are not prepared yet.
    for (const expected of ['ca|bd', 'caca|bdbd', 'cacaca|bdbdbd']) {
      const responses = await db.transaction((tx) =>
        Promise.all([
          appendBefore(tx, { more: 'a' }),
          append(tx, { more: 'b' }),
          appendBefore(tx, { more: 'c' }),
          append(tx, { more: 'd' }),
          words(tx, { more: '' }),
        ]),
      );
      expect(responses[4]).toEqual([{ word: expected }]);
    }
  });

  test('are sent together', async () => {
    const { db } = connection;
    await db.insert(things).values({ id: 1, word: '' });
    const all = () =>
      db.transaction((tx) =>
        Promise.all([
          append(tx, { more: 'first' }),
          words(tx, { more: 'second' }),
          append(tx, { more: 'third' }),
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
    const insert = statement((executor) =>
      executor.insert(things).values(placeholdersOf(things, ['id', 'word', 'seenAt', 'marks'])),
    );
    const failed = db.transaction((tx) =>
      Promise.all([
        append(tx, { more: 'lost' }),
        insert(tx, { id: 1, word: null, seenAt: null, marks: null }),
        words(tx, { more: '' }),
      ]),
    );
    await expect(failed).rejects.toMatchObject({ cause: { code: '23505' } });
    expect(await words(db, { more: '' })).toEqual([{ word: 'kept' }]);
  });
});

test('placeholders take the values of their columns, and null', async () => {
  const { db } = connection;
  const insert = statement((executor) =>
    executor.insert(things).values(placeholdersOf(things, ['id', 'word', 'seenAt', 'marks'])),
  );
  const rows = [
    { id: 1, word: 'one', seenAt: new Date('2026-01-02T03:04:05.678Z'), marks: [{ a: 'ü' }] },
    { id: 2, word: null, seenAt: null, marks: null },
    { id: 3, word: '', seenAt: new Date(0), marks: {} },
  ];
  await db.transaction(async (tx) => {
    for (const row of rows) await insert(tx, row);
  });
  expect(await db.select().from(things).orderBy(asc(things.id))).toEqual(rows);
  await expect(insert(db, { id: 4 })).rejects.toThrow('word');
});

test('it reads nested fields, null for those of an absent row', async () => {
  const { db } = connection;
  const other = alias(things, 'other');
  const pairs = statement((db) =>
    db
      .select({ id: things.id, other: { id: other.id, word: other.word } })
      .from(things)
      .leftJoin(other, eq(other.id, sql`${things.id} + 1`))
      .orderBy(asc(things.id)),
  );
  await db.insert(things).values([{ id: 1 }, { id: 2, word: 'two' }]);
  expect(await pairs(db)).toEqual([
    { id: 1, other: { id: 2, word: 'two' } },
    { id: 2, other: null },
  ]);
});

test('its query builder runs nothing by itself', async () => {
  let early: Promise<unknown> | undefined;
  const kept = statement((db) => {
    early = db.delete(things).execute();
    return db.select({ id: things.id }).from(things);
  });
  await connection.db.insert(things).values({ id: 1 });
  const rows = kept(connection.db);
  await expect(early).rejects.toThrow('no database');
  expect(await rows).toEqual([{ id: 1 }]);
});

test('a shape has one statement, written at its first use', async () => {
  const { db } = connection;
  let writes = 0;
  const column = statementByShape((db, shape: { by: 'id' | 'word' }) => {
    writes += 1;
    return db.select({ value: things[shape.by] }).from(things);
  });
  await db.insert(things).values({ id: 1, word: 'one' });
  expect(await column(db, { by: 'id' })).toEqual([{ value: 1 }]);
  expect(await column(db, { by: 'word' })).toEqual([{ value: 'one' }]);
  expect(await column(db, { by: 'word' })).toEqual([{ value: 'one' }]);
  expect(writes).toBe(2);
});

test('another database than that of the service is refused', async () => {
  const { wordOf } = countingWrites();
  const foreign = drizzle.mock();
  expect(() => wordOf(foreign as unknown as Executor, { id: 1 })).toThrow('connectDatabase');
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

test('an observer learns of each start and of each end with its error', async () => {
  const seen: string[] = [];
  const observed = await connect((text) => {
    seen.push(`start ${text}`);
    return (error) => {
      const { cause } = error ?? {};
      seen.push(`end ${cause instanceof Error ? cause.message : String(error)}`);
    };
  });
  await observed.db.execute(sql`select 1`);
  await expect(observed.db.execute(sql`select no_column`)).rejects.toThrow('select no_column');
  await observed.close(1);
  expect(seen).toEqual([
    'start select 1',
    'end null',
    'start select no_column',
    'end column "no_column" does not exist',
  ]);
});

describe('while a statement waits for a lock', () => {
  const locked = lockingStatement((db) =>
    db.select({ lock: sql`pg_advisory_xact_lock(1)::text` }).from(sql`(values (1)) as once`),
  );
  const one = statement((db) => db.select({ one: sql<number>`1` }).from(sql`(values (1)) as once`));

  test('no other one on the pool waits with it, nor does a transaction', async () => {
    const url = await cloneDatabase();
    const options = { url, statementTimeoutMs: 10_000 };
    const holder = connectDatabase({ ...options, maxConnections: 1 });
    const pool = connectDatabase({ ...options, maxConnections: 3 });
    try {
      // All connections are open and busy: the driver chooses among those, too.
      await Promise.all(Array.from({ length: 20 }, () => one(pool.db)));
      const { waiting, others } = await holder.db.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(1)`);
        const waiting = locked(pool.db);
        const others = await Promise.all(
          Array.from({ length: 30 }, (_, index) =>
            index % 3 === 0 ? pool.db.transaction((its) => one(its)) : one(pool.db),
          ),
        );
        return { waiting: [waiting], others };
      });
      expect(others.flat()).toEqual(Array.from({ length: 30 }, () => ({ one: 1 })));
      await Promise.all(waiting);
    } finally {
      await pool.close(1);
      await holder.close(1);
    }
  });
});
