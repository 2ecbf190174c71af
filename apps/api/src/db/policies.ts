import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type postgres from 'postgres';
import type { Database } from './executor.ts';

/** The name of each table's one policy; it needs no quotes in statements. */
const policy = 'of_organization';

/** Evaluated once per statement, not per row. After the end of a transaction, the setting is empty. */
const setting = `(select current_setting('atelier.organizations', true))`;
const isWithin = `${setting} = '*' or organization_id = any (
  (select string_to_array(nullif(current_setting('atelier.organizations', true), '*'), ','))::uuid[])`;

/** Stored as the comment of each policy: a policy with another text is replaced. */
const revision = createHash('sha256').update(isWithin).digest('hex');

/** Lists every table with rows of organizations. Partitions are only accessed through their table. */
const tables = `
  select c.oid, c.relname as name, c.relrowsecurity as "isSecured", pg_has_role(c.relowner, 'usage') as "isOwned",
    p.oid is not null as "hasPolicy", obj_description(p.oid, 'pg_policy') as revision
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
  left join pg_policy p on p.polrelid = c.oid and p.polname = '${policy}'
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;

interface Table {
  readonly name: string;
  readonly isSecured: boolean;
  readonly isOwned: boolean;
  readonly hasPolicy: boolean;
  /** The comment of its policy; null without a policy or comment. */
  readonly revision: string | null;
}

/**
 * Creates the policy of every organization table, or drops them all. It changes only the tables that differ, because
 * each change waits for all users of the table; it does nothing if another role owns the tables.
 *
 * @param owner - only under the migration lock
 * @see docs/decisions/0033-database-roles-and-row-level-security.md
 */
export async function setPolicies(owner: postgres.Sql, isWanted: boolean): Promise<void> {
  const found = await owner.unsafe<Table[]>(tables);
  const others = found.filter((table) => table.isOwned && !isAsWanted(table, isWanted));
  if (others.length === 0) return;
  const statements = others.map(({ name }) =>
    isWanted
      ? `drop policy if exists ${policy} on "${name}";
        create policy ${policy} on "${name}" using (${isWithin});
        comment on policy ${policy} on "${name}" is '${revision}';
        alter table "${name}" enable row level security;`
      : `alter table "${name}" disable row level security;
        drop policy if exists ${policy} on "${name}";`,
  );
  await owner.begin((tx) => tx.unsafe(statements.join('\n')));
}

function isAsWanted({ isSecured, hasPolicy, revision: found }: Table, isWanted: boolean): boolean {
  return isWanted ? isSecured && found === revision : !isSecured && !hasPolicy;
}

/**
 * @throws Error if the policies bind this role and should not, or the reverse: it
 * would find no rows, or be unrestricted
 */
export async function assertPolicies(db: Database, isWanted: boolean): Promise<void> {
  const [found] = await db.execute<{ every: boolean; some: boolean }>(
    sql`select bool_and(row_security_active(oid)) as every, bool_or(row_security_active(oid)) as some
      from (${sql.raw(tables)}) as tables`,
  );
  if (isWanted && found?.every !== true) {
    throw new Error(
      'DATABASE_ROW_LEVEL_SECURITY is true, but the policies of the database do not bind the role of DATABASE_URL: run ' +
        'the migrations with the same variable and with DATABASE_MIGRATION_URL, whose role owns the tables and is another one',
    );
  }
  if (!isWanted && found?.some === true) {
    throw new Error(
      'the database has row-level security, and DATABASE_ROW_LEVEL_SECURITY is false: set it to true, or run the ' +
        'migrations without it, with DATABASE_MIGRATION_URL',
    );
  }
}
