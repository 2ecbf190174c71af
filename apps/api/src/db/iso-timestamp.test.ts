import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { afterAll, expect, inject, test } from 'vitest';
import { isoOf, isoTimestamp } from './iso-timestamp.ts';

const client = postgres(inject('services').postgresUrl, { max: 1 });
const db = drizzle(client);
afterAll(() => client.end());

const timestamps = [
  '2026-01-02T03:04:05.678Z',
  '2026-01-02T03:04:05.670Z',
  '2026-01-02T03:04:05.600Z',
  '2026-12-31T23:59:59.999Z',
  '2024-02-29T00:00:00.000Z',
  '0033-04-03T15:00:00.000Z',
  '1969-12-31T23:59:59.001Z',
  '+012026-01-02T03:04:05.678Z',
];

async function shown(timestamp: string): Promise<string | undefined> {
  // A Postgres year has no sign; it may have five digits.
  const text = timestamp.replace('+0', '');
  const [row] = await db
    .select({ timestamp: isoTimestamp(sql`${text}::timestamptz`) })
    .from(sql`(select 1) as one`);
  return row?.timestamp;
}

test.each(timestamps)('%s matches the output of Date', async (timestamp) => {
  expect(await shown(timestamp)).toBe(new Date(timestamp).toISOString());
});

test.each(['Europe/Vienna', 'Asia/Kathmandu'])(
  'a session in %s returns the same timestamps',
  async (zone) => {
    await db.execute(sql`select set_config('TimeZone', ${zone}, false)`);
    const said = await Promise.all(timestamps.slice(0, 5).map(shown));
    await db.execute(sql`reset timezone`);
    expect(said).toEqual(timestamps.slice(0, 5));
  },
);

test('microseconds are truncated, as by a Date', () => {
  expect(isoOf('2026-01-02 03:04:05.678999+00')).toBe('2026-01-02T03:04:05.678Z');
});

test('an invalid timestamp is an error', () => {
  expect(() => isoOf('infinity')).toThrow(RangeError);
});
