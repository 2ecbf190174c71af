import { writeFileSync } from 'node:fs';
import postgres from 'postgres';

/** Server settings that enable statement statistics. */
export const countingSettings = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '10000',
  'pg_stat_statements.track_utility': 'off',
  'pg_stat_statements.track_planning': 'on',
};

export async function startCounting(databaseUrl: string): Promise<void> {
  await onServer(databaseUrl, (sql) => sql`create extension pg_stat_statements`);
}

/** Writes the statistics of all databases of the server: one JSON line each, the most expensive first. */
export async function writeCounts(databaseUrl: string, file: string): Promise<void> {
  await onServer(databaseUrl, async (sql) => {
    const rows = await sql<{ line: string }[]>`
      select json_build_object('calls', sum(calls), 'meanMs', sum(total_exec_time) / sum(calls),
        'planningMs', sum(total_plan_time) / sum(calls), 'totalMs', sum(total_plan_time + total_exec_time),
        'rows', sum(rows), 'query', query)::text as line
      from pg_stat_statements where calls > 0 group by query order by sum(total_plan_time + total_exec_time) desc`;
    writeFileSync(file, rows.map(({ line }) => `${line}\n`).join(''));
  });
}

async function onServer(url: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
