import { readFile, readdir } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { migrateJobTables } from './job-tables.ts';
import { cloneDatabase } from '../testing/api.ts';
import { connectDatabase } from './client.ts';
import { migrateDatabase, queueRevision } from './migrate.ts';

const folder = new URL('../../migrations/', import.meta.url);

describe('migrations', () => {
  test('are journaled in the order they apply, each file once', async () => {
    const journal = JSON.parse(await readFile(new URL('meta/_journal.json', folder), 'utf8')) as {
      entries: { idx: number; when: number; tag: string }[];
    };
    const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
    expect(journal.entries.map(({ tag }) => `${tag}.sql`)).toEqual(files);
    for (const [index, entry] of journal.entries.entries()) {
      expect(entry.idx).toBe(index);
      // The migrator compares the newest timestamp only: an older one that comes later is skipped silently.
      expect(entry.when).toBeGreaterThan(journal.entries[index - 1]?.when ?? 0);
    }
  });

  test('bring the queue to the revision that a start takes for the newest', async () => {
    const url = await cloneDatabase();
    const { db, close } = connectDatabase({ url, maxConnections: 1, statementTimeoutMs: 5_000 });
    // If the library had a newer one, this would find it.
    await migrateJobTables(url);
    const rows = await db.execute(sql`select max(id) as revision from graphile_worker.migrations`);
    expect([...rows]).toEqual([{ revision: queueRevision }]);
    await close(1);
  });

  test('applied again, also in parallel, are a no-op', async () => {
    const url = await cloneDatabase();
    const { db, close } = connectDatabase({ url, maxConnections: 1, statementTimeoutMs: 5_000 });
    const applied = () => db.execute(sql`select * from drizzle.__drizzle_migrations`);
    const before = await applied();
    await Promise.all([migrateDatabase(url), migrateDatabase(url), migrateDatabase(url)]);
    expect(await applied()).toEqual(before);
    await close(1);
  });

  test('keep every tenant row inside its organization by foreign key', async () => {
    const url = await cloneDatabase();
    const { db, close } = connectDatabase({ url, maxConnections: 1, statementTimeoutMs: 5_000 });
    const rows = await db.execute<{ tablename: string }>(sql`
      select distinct c.relname as tablename
      from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and array_length(k.conkey, 1) = 2`);
    expect(rows.map(({ tablename }) => tablename).toSorted()).toEqual([
      'asset_comments',
      'asset_favorites',
      'asset_versions',
      'assets',
      'collection_favorites',
      'collection_usage',
      'column_sections',
      'comments',
      'due_notices',
      'invitation_tokens',
      'share_pictures',
      'share_pins',
      'share_tickets',
      'share_views',
      'task_assets',
      'task_assignees',
      'task_follows',
      'task_labels',
      'tasks',
      'uploads',
      'webhook_attempts',
    ]);
    await close(1);
  });
});
