import { sql } from 'drizzle-orm';
import type { TestApi } from './api.ts';

type WithDatabase = Pick<TestApi, 'db'>;

/** The service's tables, and whether their rows belong to an organization. */
async function tablesOf({ db }: WithDatabase) {
  return db.execute<{ name: string; isOfOrganization: boolean }>(sql`
    select c.relname as name, exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id'
    ) as "isOfOrganization"
    from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      -- Keys that were tried and limits that were counted are the call's own.
      and c.relname not in ('idempotency_keys', 'rate_limits')
    order by c.relname`);
}

/** Hashes each table's rows: any change of a row changes the hash. */
export async function fingerprintsOf(api: WithDatabase): Promise<Record<string, string>> {
  const parts = (await tablesOf(api)).map(
    ({ name }) => sql`
      select ${name}::text as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash
      from ${sql.identifier(name)} t`,
  );
  const rows = await api.db.execute<{ name: string; hash: string }>(
    sql.join(parts, sql` union all `),
  );
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

/** Returns every row with an organization, as JSON, one per line. */
export async function rowsOfOrganization(api: WithDatabase, organizationId: string) {
  const parts = (await tablesOf(api))
    .filter(({ isOfOrganization }) => isOfOrganization)
    .map(
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
