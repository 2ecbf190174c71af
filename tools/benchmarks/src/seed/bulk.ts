import type { Sql } from 'postgres';

/**
 * Fills a table without its indexes, and builds them afterwards: adding a million entries row by row takes
 * several times as long. The indexes of constraints stay.
 */
export async function inBulk(sql: Sql, table: string, fill: () => Promise<void>): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = ${table}::regclass
      and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  await fill();
  await sql`set maintenance_work_mem = '512MB'`;
  // Those of partitions come with that of their table.
  for (const { definition } of indexes) await sql.unsafe(definition.replace(' ON ONLY ', ' ON '));
  await sql`reset maintenance_work_mem`;
}
