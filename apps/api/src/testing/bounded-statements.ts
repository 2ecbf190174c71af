import { sql } from 'drizzle-orm';
import type { TestApi } from './api.ts';

/** Refuses each statement that deletes or updates more rows of a table than so many. */
export async function boundStatements(
  { db }: Pick<TestApi, 'db'>,
  table: string,
  most: number,
): Promise<void> {
  await db.execute(sql`
    create or replace function refuse_many() returns trigger language plpgsql as $$
    begin
      if (select count(*) from changed) > tg_argv[0]::int then
        raise exception '% rows of % in one statement', (select count(*) from changed), tg_table_name;
      end if;
      return null;
    end $$`);
  for (const event of ['delete', 'update']) {
    await db.execute(
      sql.raw(`
        create trigger ${table}_bounds_${event} after ${event} on ${table}
        referencing old table as changed for each statement execute function refuse_many(${most})`),
    );
  }
}
