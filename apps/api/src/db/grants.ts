import { createHmac, createHash, pbkdf2Sync, randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { catalogue } from './catalogue.ts';
import { everyPrivilege } from './tenancy.ts';

/** The role that the service connects as, if it isn't the migrations' role. */
export interface ServiceRole {
  readonly name: string;
  /** The password of a role that is still to be created; null if it signs in without one. */
  readonly password: string | null;
}

const declared = new Map(catalogue.map(({ name, privileges }) => [name, privileges]));

/** SECURITY DEFINER functions that the service calls. All others run with the rights of their caller. */
const calledWithRights: ReadonlySet<string> = new Set([
  'make_activity_partitions',
  'erase_activities',
]);

/**
 * Creates the role if necessary, and grants it exactly the privileges that the service needs on everything that the
 * migrations have created: rows, no tables. Call it only under the migration lock, as the owner of the tables.
 *
 * @throws Error if the role has more privileges than that
 * @see docs/decisions/0033-database-roles-and-row-level-security.md
 */
export async function grantToService(owner: postgres.Sql, role: ServiceRole): Promise<void> {
  await makeRole(owner, role);
  await refusePowerful(owner, role.name);
  await owner.begin(async (tx) => {
    await closeToEverybody(tx);
    await grantTables(tx, role.name);
    await grantFunctions(tx, role.name);
    await grantQueue(tx, role.name);
  });
}

async function makeRole(owner: postgres.Sql, { name, password }: ServiceRole): Promise<void> {
  const [found] = await owner`select 1 from pg_roles where rolname = ${name}`;
  if (found) return;
  // CREATE ROLE takes no parameters; the verifier contains no quotes.
  const secret = password === null ? '' : `password '${scramVerifier(password)}'`;
  try {
    await owner.unsafe(`create role ${quoted(name)} login noinherit ${secret}`);
  } catch (error) {
    // Roles belong to the server: another of its databases may have created it first.
    if (!isThereAlready(error)) throw error;
  }
}

function isThereAlready(error: unknown): boolean {
  return error instanceof postgres.PostgresError && ['42710', '23505'].includes(error.code);
}

async function refusePowerful(owner: postgres.Sql, name: string): Promise<void> {
  const [role] = await owner<{ mayTooMuch: boolean }[]>`
    select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication
      or pg_has_role(rolname, current_user, 'member') as "mayTooMuch"
    from pg_roles where rolname = ${name}`;
  if (role?.mayTooMuch !== false) {
    throw new Error(
      `the role of DATABASE_URL, ${name}, must be no superuser, no member of the owner of the tables, and without the ` +
        'rights to make databases and roles, to replicate, and to pass row-level security',
    );
  }
}

/** The default privileges of every role in Postgres. */
async function closeToEverybody(tx: postgres.TransactionSql): Promise<void> {
  const [open] = await tx<{ database: string; mayCreate: boolean; mayHaveTemporary: boolean }[]>`
    select current_database() as database,
      has_schema_privilege('public', 'public', 'create') as "mayCreate",
      has_database_privilege('public', current_database(), 'temporary')
        and pg_has_role(datdba, 'usage') as "mayHaveTemporary"
    from pg_database where datname = current_database()`;
  if (open?.mayCreate) await tx`revoke create on schema public from public`;
  if (open?.mayHaveTemporary) {
    await tx`revoke temporary on database ${tx(open.database)} from public`;
  }
}

async function grantTables(tx: postgres.TransactionSql, name: string): Promise<void> {
  const role = quoted(name);
  await tx.unsafe(`revoke all on all tables in schema public, drizzle from ${role};
    revoke all on all sequences in schema public, drizzle from ${role};
    grant usage on schema public, drizzle to ${role};
    grant select on drizzle.__drizzle_migrations to ${role}`);
  const tables = await tx<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  for (const table of tables) {
    // A table that this release doesn't know is from a newer one, which was rolled back.
    const privileges = declared.get(table.name) ?? everyPrivilege;
    await tx.unsafe(`grant ${privileges.join(', ')} on ${quoted(table.name)} to ${role}`);
  }
  await tx.unsafe(`grant usage on all sequences in schema public to ${role}`);
}

/** Revokes the default right of every role to call every function. Those of extensions run with the caller's rights. */
async function grantFunctions(tx: postgres.TransactionSql, name: string): Promise<void> {
  const role = quoted(name);
  const functions = await tx<{ name: string; signature: string; hasRights: boolean }[]>`
    select proname as name, oid::regprocedure::text as signature, prosecdef as "hasRights"
    from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
      and not exists (select 1 from pg_depend d
        where d.classid = 'pg_proc'::regclass and d.objid = pg_proc.oid and d.deptype = 'e')`;
  for (const { name: called, signature, hasRights } of functions) {
    if (hasRights) await tx.unsafe(`revoke all on function ${signature} from public, ${role}`);
    if (hasRights && !calledWithRights.has(called)) continue;
    await tx.unsafe(`grant execute on function ${signature} to ${role}`);
  }
}

/** The queue's tables have row-level security without policies: they appear empty to everyone but their owner. */
async function grantQueue(tx: postgres.TransactionSql, name: string): Promise<void> {
  const role = quoted(name);
  await tx.unsafe(`grant usage on schema graphile_worker to ${role};
    grant select, insert, update, delete on all tables in schema graphile_worker to ${role};
    revoke insert, update, delete on graphile_worker.migrations from ${role};
    grant usage on all sequences in schema graphile_worker to ${role};
    grant execute on all functions in schema graphile_worker to ${role}`);
  const closed = await tx<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity
      and not exists (select 1 from pg_policy p where p.polrelid = c.oid)`;
  for (const table of closed) {
    // For all roles, because a backup that names a missing role can't be restored; the grants control the access.
    await tx.unsafe(`create policy granted on graphile_worker.${quoted(table.name)} using (true)`);
  }
}

function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

const scramIterations = 4096;

/**
 * Computes the verifier that Postgres stores for a password (RFC 5803), so that no logged statement contains the password.
 * Passwords with non-ASCII characters would need normalization; they are sent as they are, and Postgres does it.
 */
function scramVerifier(password: string): string {
  if (!/^[\x20-\x7e]*$/.test(password)) return password.replaceAll("'", "''");
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, scramIterations, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const server = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${scramIterations}:${salt.toString('base64')}$${stored}:${server}`;
}
