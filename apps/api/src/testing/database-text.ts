import { sql } from 'drizzle-orm';
import type { TestApi } from './api.ts';

/**
 * Dumps a database as a reader of its backup would see it: each row of each table as text, and
 * bytes in hexadecimal. It excludes the plaintext of sealed responses, which a backup doesn't contain.
 */
export async function databaseText({ db }: Pick<TestApi, 'db'>): Promise<string> {
  const tables = await db.execute<{ schema: string; name: string }>(sql`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`);
  const lines: string[] = [];
  for (const { schema, name } of tables) {
    const rows = await db.execute<{ row: string }>(
      sql`select t::text as row from ${sql.identifier(schema)}.${sql.identifier(name)} t`,
    );
    lines.push(...rows.map(({ row }) => `${schema}.${name} ${row}`));
  }
  return lines.join('\n');
}
