import { sql } from 'drizzle-orm';
import { catalogue } from './catalogue.ts';
import { distributedFunctions, jointChanges, jointCommits } from './distributed-functions.ts';
import type { Executor } from './executor.ts';

/** Any database of the query builder: that of a migration has no session of the service. */
export type Reader = Pick<Executor, 'execute'>;
interface Writer {
  transaction(steps: (tx: Reader) => Promise<void>): Promise<void>;
}

/** What the first tenant table is; all others have their rows on the same servers as its rows. */
const organizationColumn = 'organization_id';

/** A change on the way to a distributed database. */
export interface DistributionStep {
  readonly what: string;
  readonly statements: readonly string[];
}

/** The cluster of a database; null if it has no Citus. */
export interface Cluster {
  readonly version: string;
  readonly workers: number;
  /** Whether the coordinator is one of its nodes, which keeps tables of all servers. */
  readonly knowsCoordinator: boolean;
}

const namesOf = (wanted: (typeof catalogue)[number]['distribution']) =>
  catalogue.filter(({ distribution }) => distribution === wanted).map(({ name }) => name);

/** Tables whose triggers keep every row as it is. */
const histories = catalogue
  .filter(({ privileges }) => !privileges.includes('update') && !privileges.includes('delete'))
  .map(({ name }) => name);

/** Both in the order of their references. */
const referenceTables = namesOf('reference');
const organizationTables = namesOf('organization');

export async function clusterOf(db: Reader): Promise<Cluster | null> {
  const [extension] = await db.execute<{ version: string }>(
    sql`select extversion as version from pg_extension where extname = 'citus'`,
  );
  if (!extension) return null;
  const [nodes] = await db.execute<{ workers: number; knowsCoordinator: boolean }>(sql`
    select count(*) filter (where groupid <> 0)::int as workers, bool_or(groupid = 0) is true as "knowsCoordinator"
    from pg_dist_node where noderole = 'primary' and isactive`);
  return { version: extension.version, workers: 0, knowsCoordinator: false, ...nodes };
}

/**
 * Counts the other connections of clients to the database, without those of the cluster itself.
 *
 * An ordinary role sees no type of other roles' connections, but their roles and names. Processes of the server have no
 * role, except workers of extensions, of which those of Citus have its name.
 */
export async function otherConnections(db: Reader): Promise<number> {
  const [row] = await db.execute<{ amount: number }>(sql`
    select count(*)::int as amount from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
      and coalesce(backend_type, 'client backend') = 'client backend' and application_name not ilike 'citus%'`);
  return row?.amount ?? 0;
}

/** Whether a role sees only the rows of its organization in some table: servers don't know of whom it asks. */
export async function hasPolicies(db: Reader): Promise<boolean> {
  const [row] = await db.execute<{ holds: boolean }>(sql`
    select exists (
      select from pg_policy p join pg_class c on c.oid = p.polrelid
      where c.relnamespace = 'public'::regnamespace) as holds`);
  return row?.holds ?? false;
}

/** The parts of the distribution, in order; each lists what isn't done yet. */
export const distributionParts: readonly ((db: Reader) => Promise<DistributionStep[]>)[] = [
  constraintSteps,
  tableSteps,
  leftoverSteps,
  sessionSteps,
  functionSteps,
  jointSteps,
];

/** Makes a step in a transaction of its own. */
export async function takeStep(db: Writer, { statements }: DistributionStep): Promise<void> {
  await db.transaction(async (tx) => {
    for (const statement of statements) await tx.execute(sql.raw(statement));
  });
}

/** What changes of tables need. */
const settings = {
  // A foreign key to a table of every server allows one connection to each server only.
  'citus.multi_shard_modify_mode': 'sequential',
  // Otherwise what refers to a table of every server becomes a table that every server knows.
  'citus.enable_local_reference_table_foreign_keys': 'off',
  // Each of ours writes only rows of the organization whose row is written.
  'citus.enable_unsafe_triggers': 'on',
};

const settingsOfStep = Object.entries(settings).map(
  ([name, value]) => `set local ${name} to ${value}`,
);

/** Prepares a connection for changes of tables: of a distributed database, or of one that is to be. */
export async function prepareForChanges(db: Reader): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    await db.execute(sql`select set_config(${name}, ${value}, false)`);
  }
}

interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly to: string;
  readonly definition: string;
  /** Whether deleting a row sets the reference of others null. */
  readonly setsNull: boolean;
  readonly hasOrganization: boolean;
}

/**
 * Foreign keys that Citus refuses, or that make every change of one table wait for all changes of another:
 *
 * - those to tables of every server, unless they are of an organization's rows, whose server checks them itself;
 * - those that set a column null, where they include the organization. The service does that itself.
 */
async function constraintSteps(db: Reader): Promise<DistributionStep[]> {
  const keys = await db.execute<{ [Column in keyof ForeignKey]: ForeignKey[Column] }>(sql`
    select k.conname as name, child.relname as table, parent.relname as to,
      pg_get_constraintdef(k.oid) as definition, k.confdeltype = 'n' as "setsNull",
      exists (
        select from pg_attribute a
        where a.attrelid = k.conrelid and a.attname = ${organizationColumn} and a.attnum = any(k.conkey)
      ) as "hasOrganization"
    from pg_constraint k
    join pg_class child on child.oid = k.conrelid
    join pg_class parent on parent.oid = k.confrelid
    where k.contype = 'f' and k.conparentid = 0 and child.relnamespace = 'public'::regnamespace
    order by child.relname, k.conname`);
  return keys.flatMap((key) => {
    if (referenceTables.includes(key.to)) {
      const isChecked = organizationTables.includes(key.table) || key.table === key.to;
      return isChecked ? [] : [constraintStep(key, 'is checked by `operator verify` from now on')];
    }
    if (!key.setsNull || !key.hasOrganization) return [];
    const kept = key.definition.replace(/ ON DELETE SET NULL( \([^)]*\))?/, '');
    return [
      constraintStep(
        key,
        'no longer sets a column null',
        `add constraint ${quoted(key.name)} ${kept}`,
      ),
    ];
  });
}

function constraintStep(
  { name, table }: ForeignKey,
  becomes: string,
  ...additions: readonly string[]
): DistributionStep {
  const changes = [`drop constraint ${quoted(name)}`, ...additions];
  return {
    what: `${table}: ${name} ${becomes}`,
    statements: [
      ...settingsOfStep,
      ...changes.map((change) => `alter table ${quoted(table)} ${change}`),
    ],
  };
}

/** Where a distributed database keeps the rows of a table. */
interface Place {
  readonly name: string;
  /** The column whose value decides on the server; null if every server has all rows. */
  readonly column: string | null;
  readonly colocation: number;
}

/** Returns the tables that are no longer on the coordinator alone. Requires Citus. */
async function placesOf(db: Reader): Promise<ReadonlyMap<string, Place>> {
  const rows = await db.execute<{ [Column in keyof Place]: Place[Column] }>(sql`
    select c.relname as name, p.colocationid as colocation,
      case when p.partmethod = 'h' then column_to_column_name(p.logicalrelid, p.partkey) end as column
    from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where c.relnamespace = 'public'::regnamespace and p.partmethod in ('h', 'n')
      and not (p.partmethod = 'n' and p.repmodel <> 't')`);
  return new Map(rows.map((row) => [row.name, row]));
}

async function tableSteps(db: Reader): Promise<DistributionStep[]> {
  const [places, missing] = [await knownPlaces(db), await missingTables(db)];
  const leading = leadingOf(places);
  return [...referenceTables, ...organizationTables]
    .filter((name) => !missing.includes(name) && !places.has(name))
    .flatMap((name) => stepFor(name, leading) ?? []);
}

async function knownPlaces(db: Reader): Promise<ReadonlyMap<string, Place>> {
  return (await clusterOf(db)) ? placesOf(db) : new Map<string, Place>();
}

/** Returns the table that all others of organizations go beside: one that is distributed, or the first to be. */
export async function leadingTable(db: Reader): Promise<string> {
  return leadingOf(await knownPlaces(db));
}

/** The first by name may be younger than the distribution. */
function leadingOf(places: ReadonlyMap<string, Place>): string {
  const distributed = organizationTables.find(
    (name) => places.get(name)?.column === organizationColumn,
  );
  return distributed ?? organizationTables[0] ?? '';
}

/** Returns the tables that a migration has still to make. */
async function missingTables(db: Reader): Promise<string[]> {
  const known = await db.execute<{ name: string }>(sql`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`);
  const present = new Set(known.map(({ name }) => name));
  return catalogue.map(({ name }) => name).filter((name) => !present.has(name));
}

/**
 * Returns what puts a table where it belongs; null for one that stays on the coordinator.
 *
 * @param leading - see {@link leadingTable}
 */
export function stepFor(name: string, leading: string): DistributionStep | null {
  if (referenceTables.includes(name)) {
    return {
      what: `${name}: a copy on every server`,
      statements: [...settingsOfStep, `select create_reference_table('${name}')`],
    };
  }
  if (!organizationTables.includes(name)) return null;
  const beside = name === leading ? 'none' : leading;
  // Each row that is copied is inserted on its server: what triggers do then is done already. Those of a history only
  // refuse its changes, and stay on.
  const isHistory = histories.includes(name);
  return {
    what: `${name}: by organization`,
    statements: [
      ...settingsOfStep,
      ...(isHistory ? [] : [`alter table ${quoted(name)} disable trigger user`]),
      `select create_distributed_table('${name}', '${organizationColumn}', colocate_with => '${beside}')`,
      ...(isHistory ? [] : [`alter table ${quoted(name)} enable trigger user`]),
    ],
  };
}

/** Rows that were copied to the servers are still in the coordinator's files, where no statement sees them. */
async function leftoverSteps(db: Reader): Promise<DistributionStep[]> {
  const found = await db.execute<{ name: string; guarded: string[] }>(sql`
    select c.relname as name, array(
        select t.tgrelid::regclass::text from pg_trigger t
        where t.tgname = ${emptyingGuard} and (
          t.tgrelid in (select relid from pg_partition_tree(c.oid))
          or exists (select from pg_constraint k where k.conrelid = t.tgrelid and k.confrelid = c.oid))
        order by 1) as guarded
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relname in ${[...referenceTables, ...organizationTables]}
      and (pg_relation_size(c.oid) > 0
        or exists (select from pg_partition_tree(c.oid) as part where pg_relation_size(part.relid) > 0))`);
  const filled = new Map(found.map(({ name, guarded }) => [name, guarded]));
  // Those that refer to others come first, because emptying a table empties what refers to it.
  return [...referenceTables, ...organizationTables]
    .filter((name) => filled.has(name))
    .toReversed()
    .map((name) => leftoverStep(name, filled.get(name) ?? []));
}

/** The trigger of each table and partition that nothing may empty, not even with what it refers to. */
const emptyingGuard = 'activities_are_not_emptied';

function leftoverStep(name: string, guarded: readonly string[]): DistributionStep {
  const set = (state: string) =>
    guarded.map((table) => `alter table ${table} ${state} trigger ${emptyingGuard}`);
  return {
    what: `${name}: what was copied is removed from the coordinator`,
    statements: [
      ...settingsOfStep,
      // Those of the other servers stay on.
      ...(guarded.length > 0 ? ['set local citus.enable_ddl_propagation to off'] : []),
      ...set('disable'),
      `select truncate_local_data_after_distributing_table('${name}')`,
      ...set('enable always'),
    ],
  };
}

/**
 * A transaction that has asked several servers at once may not change a table of every server any more. The service's
 * statements of all organizations ask them in turn; those of one organization ask only one.
 */
async function sessionSteps(db: Reader): Promise<DistributionStep[]> {
  const [row] = await db.execute<{ database: string; isSet: boolean }>(sql`
    select datname as database, exists (
      select from pg_db_role_setting
      where setdatabase = d.oid and setrole = 0 and 'citus.multi_shard_modify_mode=sequential' = any(setconfig)
    ) as "isSet"
    from pg_database d where datname = current_database()`);
  if (!row || row.isSet) return [];
  return [
    {
      what: 'statements of all organizations ask one server after the other',
      statements: [
        `alter database ${quoted(row.database)} set citus.multi_shard_modify_mode to 'sequential'`,
      ],
    },
  ];
}

/** What one server knows by itself is asked differently of several. */
async function functionSteps(db: Reader): Promise<DistributionStep[]> {
  const found = await db.execute<{ name: string; body: string }>(sql`
    select proname as name, prosrc as body from pg_proc
    where pronamespace = 'public'::regnamespace and proname in ${distributedFunctions.map(({ name }) => name)}`);
  const present = new Map(found.map(({ name, body }) => [name, body]));
  const leading = await leadingTable(db);
  return distributedFunctions
    .filter(({ name, body }) => present.get(name) !== body)
    .map(({ name, signature, body, organization, preparation }) => ({
      what: `${name}: for rows on several servers`,
      statements: [
        ...(preparation === undefined ? [] : [preparation]),
        ...(organization === undefined ? ['set local citus.enable_ddl_propagation to off'] : []),
        `create or replace function ${quoted(name)}${signature} language plpgsql as $$${body}$$`,
        ...(organization === undefined ? [] : [delegated(name, { organization, leading })]),
      ],
    }));
}

/** The coordinator calls the function on the server of the organization, also in a transaction. */
function delegated(
  name: string,
  { organization, leading }: { organization: string; leading: string },
): string {
  return `select create_distributed_function('${name}'::regproc::oid::regprocedure, '${organization}',
    colocate_with := '${leading}', force_delegation := true)`;
}

/** What is on the coordinator beside the rows of an organization commits with them. */
async function jointSteps(db: Reader): Promise<DistributionStep[]> {
  const found = await db.execute<{ name: string }>(sql`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relname = ${jointCommits}
    union all
    select tgrelid::regclass::text from pg_trigger where tgname = 'commit_together'`);
  const present = new Set(found.map(({ name }) => name));
  const table = {
    name: jointCommits,
    what: 'what is on several servers commits at once',
    statements: [
      `create table ${jointCommits} (id integer primary key)`,
      `grant delete on ${jointCommits} to public`,
      `select citus_add_local_table_to_metadata('${jointCommits}')`,
    ],
  };
  const triggers = Object.entries(jointChanges).map(([name, events]) => ({
    name,
    what: `${name}: commits with the rows of the organization`,
    statements: [
      `create trigger commit_together after ${events} on ${quoted(name)} execute function commit_together()`,
    ],
  }));
  return [table, ...triggers]
    .filter(({ name }) => !present.has(name))
    .map(({ what, statements }) => ({ what, statements: [...settingsOfStep, ...statements] }));
}

/** Whether a database keeps any table on other servers than its own. */
export async function isDistributed(db: Reader): Promise<boolean> {
  return (await clusterOf(db)) !== null && (await placesOf(db)).size > 0;
}

/** Returns what differs from the declarations; null in a database that isn't distributed. */
export async function misplacedTables(db: Reader): Promise<string[] | null> {
  if (!(await isDistributed(db))) return null;
  const places = await placesOf(db);
  const [first = ''] = organizationTables;
  const together = places.get(first)?.colocation;
  return catalogue.flatMap(({ name, distribution }) => {
    const place = places.get(name);
    if (distribution === 'local') return place ? [`${name} is not on the coordinator alone`] : [];
    if (!place) return [`${name} is on the coordinator alone`];
    if (distribution === 'reference')
      return place.column === null ? [] : [`${name} is not on every server`];
    if (place.column !== organizationColumn)
      return [`${name} is not distributed by ${organizationColumn}`];
    return place.colocation === together ? [] : [`${name} is not beside ${first}`];
  });
}

function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
