import type { SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

/**
 * What happens to a table's rows when their organization is deleted:
 *
 * - `delete`: they are deleted in the same transaction, by their own statement or by a cascade;
 * - `delete first`: the same, before all others, for rows that other changes lock first;
 * - `delete last`: the same, after all others, for rows that other changes lock last;
 * - `bin`: they get the `deletedAt` of the organization, and are purged when their time in the bin is over;
 * - `purge`: they stay with a row in the bin, and are purged together with it;
 * - `set`: those with the values of `where` get these, and stay;
 * - `keep`: they stay, for the given reason.
 */
export type OnOrganizationDeleted =
  | 'delete'
  | 'delete first'
  | 'delete last'
  | 'bin'
  | 'purge'
  | { readonly set: Values; readonly where: Values }
  | { readonly keep: string };

/** By the name of the column. */
type Values = Readonly<Record<string, unknown>>;

/**
 * What happens to a row that refers to an account which is erased. `keep`: the account's own row stays, without
 * anything that identifies the person.
 */
export type OnAccountErased = 'delete' | 'set null' | 'keep';

/** Whose rows are exported, and from where. */
export interface ExportScope {
  readonly userId: string;
  /** The organization that is read; null for a table without, and for one that is read over all of them. */
  readonly organizationId: string | null;
  /** The organizations that the person may read now. */
  readonly readableIds: readonly string[];
}

type Condition<Table> = (table: Table, scope: ExportScope) => SQL | undefined;

/**
 * What the export of an account has of a table's rows: nothing, for the given reason, or the named columns. All others
 * stay out, so that a new one discloses nothing.
 */
export type OnAccountExported<Name extends string = string, Table = never> =
  | { readonly nothing: string }
  | {
      /** The column with the account whose row it is, or a condition for its rows. */
      readonly rows: Name | Condition<Table>;
      readonly columns: readonly Name[];
      /** Columns that are null in the export unless their condition holds: there, others have written in them. */
      readonly onlyIf?: { readonly [Column in Name]?: Condition<Table> };
      /** Read once over all organizations, also those that the person may no longer read. */
      readonly everywhere?: true;
      /** The order of the pages: the key of an index on the rows of an account. Default: the primary key. */
      readonly pagesBy?: readonly Name[];
    };

/** What the service may do with the rows of a table. */
export type Privilege = 'select' | 'insert' | 'update' | 'delete';

export const everyPrivilege: readonly Privilege[] = ['select', 'insert', 'update', 'delete'];

type ColumnName<Table extends PgTable> = keyof Table['_']['columns'] & string;
type ByColumn<Table extends PgTable, Value> = { readonly [Name in ColumnName<Table>]?: Value };

interface EveryDeclaration {
  /** By the name of each column that refers to an account. */
  readonly onAccountErased: Readonly<Record<string, OnAccountErased>>;
  readonly onAccountExported: OnAccountExported;
  /** Where a distributed database keeps the rows: by organization, on every server, or on the coordinator. */
  readonly distribution: 'organization' | 'reference' | 'local';
  /** The privileges that the migrations grant to the role of the service. */
  readonly privileges: readonly Privilege[];
}

/** The declaration of a table with rows of organizations. */
export interface TenantDeclaration extends EveryDeclaration {
  readonly onOrganizationDeleted: OnOrganizationDeleted;
  /** Columns that the constraints keep unique within an organization only. */
  readonly uniqueEverywhere: readonly string[];
  /** Indexes for lookups without an organization, each with the reason. */
  readonly lookups: Readonly<Record<string, string>>;
}

/** The declaration of a table that no organization owns. */
export interface SharedDeclaration extends EveryDeclaration {
  readonly onOrganizationDeleted: null;
  /** Whose rows they are. Those of requests come and go with every request, whatever it does. */
  readonly rowsOf: 'organizations' | 'accounts' | 'service' | 'requests';
}

export type Declaration = TenantDeclaration | SharedDeclaration;

const declaration = Symbol('declaration');

/** A table that says what happens to its rows. */
export interface Declared<Kind extends Declaration = Declaration> {
  readonly [declaration]: Kind;
}

/** Every table of an organization has this column, and its keys begin with it. */
type OfOrganization = PgTable & { readonly organizationId: PgColumn };
type OfNoOrganization = PgTable & { readonly organizationId?: never };

/**
 * Declares what happens to the rows of a tenant table. Deletion of an organization, erasure and export of an
 * account, `operator verify`, the distribution and the tests of tenants are derived from it.
 *
 * @see docs/decisions/0065-tenant-catalogue.md
 */
export function tenantTable<Table extends OfOrganization>(
  table: Table,
  declared: {
    readonly onOrganizationDeleted:
      | Exclude<OnOrganizationDeleted, 'bin' | { set: unknown }>
      | (Table extends { readonly deletedAt: PgColumn } ? 'bin' : never)
      | {
          readonly set: Partial<Table['$inferSelect']>;
          readonly where: Partial<Table['$inferSelect']>;
        };
    readonly onAccountErased: ByColumn<Table, OnAccountErased>;
    readonly onAccountExported: OnAccountExported<ColumnName<Table>, Table>;
    readonly distribution: 'organization' | 'local';
    readonly privileges?: readonly Privilege[];
    readonly uniqueEverywhere?: readonly ColumnName<Table>[];
    readonly lookups?: Readonly<Record<string, string>>;
  },
): Table & Declared<TenantDeclaration> {
  return declare(table, {
    uniqueEverywhere: [],
    lookups: {},
    privileges: everyPrivilege,
    ...declared,
  } as TenantDeclaration);
}

/** Declares what happens to the rows of a table that no organization owns, as {@link tenantTable} does. */
export function sharedTable<Table extends OfNoOrganization>(
  table: Table,
  declared: {
    readonly rowsOf: SharedDeclaration['rowsOf'];
    readonly onAccountErased: ByColumn<Table, OnAccountErased>;
    readonly onAccountExported: OnAccountExported<ColumnName<Table>, Table>;
    readonly distribution: 'reference' | 'local';
    readonly privileges?: readonly Privilege[];
  },
): Table & Declared<SharedDeclaration> {
  return declare(table, {
    onOrganizationDeleted: null,
    privileges: everyPrivilege,
    ...declared,
  } as SharedDeclaration);
}

function declare<Table extends PgTable, Kind extends Declaration>(table: Table, declared: Kind) {
  return Object.assign(table, { [declaration]: declared });
}

/** @returns undefined for a table that isn't declared, which the types of the catalogue refuse */
export function declarationOf(table: PgTable & Partial<Declared>): Declaration | undefined {
  return table[declaration];
}
