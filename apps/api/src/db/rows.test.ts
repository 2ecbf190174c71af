import { sql } from 'drizzle-orm';
import { alias, boolean, customType, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { mapRowsByPlan } from './rows.ts';
import * as schema from './generated/schema.ts';

const reversed = customType<{ data: string }>({
  dataType: () => 'text',
  fromDriver: (value) => Array.from(String(value)).toReversed().join(''),
});
const things = pgTable('things', {
  id: integer().notNull(),
  name: text(),
  isOld: boolean('is_old').notNull(),
  word: reversed(),
  seenAt: timestamp('seen_at', { withTimezone: true, precision: 3 }),
});

const client = postgres(inject('services').postgresUrl, { max: 1 });
const byLibrary = drizzle(client, { schema });
const byPlan = drizzle(client, { schema });
mapRowsByPlan(byPlan._.session);
afterAll(() => client.end());

type Database = typeof byPlan;
beforeAll(async () => {
  // The only connection keeps the setting.
  await client`
    create temporary table things as
    select * from (values
      (1, 'a', true, 'abc', timestamptz '2026-01-02 03:04:05.678+02'),
      (2, null, false, null, null)
    ) as row (id, name, is_old, word, seen_at)`;
});

const others = alias(things, 'others');

const statements: Record<string, (db: Database) => Promise<unknown>> = {
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

test('a prepared statement has a plan, too', async () => {
  const prepared = byPlan.select({ seenAt: things.seenAt }).from(things).prepare('things_seen');
  expect(await prepared.execute()).toEqual([
    { seenAt: new Date('2026-01-02T01:04:05.678Z') },
    { seenAt: null },
  ]);
});
