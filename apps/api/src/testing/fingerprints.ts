import { sql } from 'drizzle-orm';
import { catalogue, isTenant } from '../db/catalogue.ts';
import type { TestApi } from './api.ts';
import { untilFollowed, untilIdle } from './library.ts';

/** The positions of consumers move after each change, whenever the follower gets to it. */
const movesByItself = 'log_positions';

/** What the mails of notifications leave behind, which go out a minute after them. */
const changedByMails: Readonly<Record<string, readonly string[]>> = {
  inboxes: ['instant_mails_at'],
  notifications: ['mail'],
};

const stillTables = catalogue.filter(({ name }) => name !== movesByItself);

/** Keys that were used and limits that were counted are the request's own. */
const tables = stillTables.filter((entry) => isTenant(entry) || entry.rowsOf !== 'requests');

/** Hashes each table's rows once consumers and jobs are done: any change of a row changes the hash. */
export async function fingerprintsOf(api: TestApi): Promise<Record<string, string>> {
  await untilFollowed(api);
  await untilIdle(api);
  const parts = tables.map(
    ({ name }) => sql`
      select ${name}::text as name, md5(coalesce(string_agg(row, '|' order by row), '')) as hash
      from (select (to_jsonb(t) - ${sql.param(changedByMails[name] ?? [])}::text[])::text as row
        from ${sql.identifier(name)} t) as rows`,
  );
  const rows = await api.db.execute<{ name: string; hash: string }>(
    sql.join(parts, sql` union all `),
  );
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

/** Returns every row of an organization that only requests change, as JSON, one per line. */
export async function rowsOfOrganization(api: Pick<TestApi, 'db'>, organizationId: string) {
  const parts = stillTables.filter(isTenant).map(
    ({ name }) => sql`
        select ${name}::text as name, to_json(t)::text as row
        from ${sql.identifier(name)} t where organization_id = ${organizationId}`,
  );
  const rows = await api.db.execute<{ name: string; row: string }>(
    sql`${sql.join(parts, sql` union all `)}
      union all select 'organizations', to_json(o)::text from organizations o where id = ${organizationId}
      order by name, row`,
  );
  return rows.map(({ name, row }) => `${name} ${row}`);
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Returns every id in the texts. */
export function idsIn(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => text.match(uuid) ?? []));
}
