import { sql } from 'drizzle-orm';
import { alias, boolean, customType, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connectDatabase } from '../client.ts';
import type { Executor } from '../executor.ts';
import { statement } from './statement.ts';

const reversed = customType<{ data: string }>({
  dataType: () => 'text',
  fromDriver: (value) => Array.from(String(value)).toReversed().join(''),
});
const things = pgTable('rows_of_things', {
  id: integer().notNull(),
  name: text(),
  isOld: boolean('is_old').notNull(),
  word: reversed(),
  seenAt: timestamp('seen_at', { withTimezone: true, precision: 3 }),
});

const client = postgres(inject('services').postgresUrl, { max: 1 });
// The same query builder on another session.
const byLibrary = drizzle(client) as unknown as Executor;
const connection = connectDatabase({
  url: inject('services').postgresUrl,
  maxConnections: 1,
  statementTimeoutMs: 5_000,
});
const byPlan = connection.db;
afterAll(() => Promise.all([client.end(), connection.close(1)]));

beforeAll(async () => {
  const creation = sql`
    create temporary table rows_of_things as
    select * from (values
      (1, 'a', true, 'abc', timestamptz '2026-01-02 03:04:05.678+02'),
      (2, null, false, null, null)
    ) as row (id, name, is_old, word, seen_at)`;
  // Each has one connection, which keeps it.
  await byLibrary.execute(creation);
  await byPlan.execute(creation);
});

const others = alias(things, 'others');

const statements: Record<string, (db: Executor) => Promise<unknown>> = {
  'columns, custom types and nulls': (db) =>
    db
      .select({
        id: things.id,
        name: things.name,
        isOld: things.isOld,
        word: things.word,
        seenAt: things.seenAt,
      })
      .from(things),
  'expressions with and without a decoder': (db) =>
    db
      .select({
        twice: sql<number>`id * 2`,
        word: sql`word`.mapWith(things.word),
        named: sql<string>`name`.as('named'),
      })
      .from(things),
  'nested fields of an outer join': (db) =>
    db
      .select({ id: things.id, other: { name: others.name, isOld: others.isOld } })
      .from(things)
      .leftJoin(others, sql`false`),
  'no rows': (db) =>
    db
      .select({ id: things.id })
      .from(things)
      .where(sql`false`),
};

test.each(Object.entries(statements))('%s: the same rows as from the library', async (_, ask) => {
  const expected = await ask(byLibrary);
  expect(await ask(byPlan)).toEqual(expected);
});

test('a declared statement reads them alike', async () => {
  const seen = statement((db) => db.select({ seenAt: things.seenAt }).from(things));
  expect(await seen(byPlan)).toEqual([
    { seenAt: new Date('2026-01-02T01:04:05.678Z') },
    { seenAt: null },
  ]);
});
