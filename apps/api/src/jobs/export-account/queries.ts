import { and, asc, eq, getTableColumns, gt, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import { columnOf } from '../../db/catalogue.ts';
import type { Database, Transaction } from '../../db/executor.ts';
import {
  accountExports,
  assets,
  assetVersions,
  memberships,
  organizations,
  storedObjects,
  users,
} from '../../db/generated/schema.ts';
import type { ExportScope } from '../../db/tenancy.ts';
import { hasRequiredFactorAt } from '../../domain/second-factor/queries.ts';
import type { ExportedTable } from './contents.ts';
import { isStoredObject } from '../../domain/stored-objects/queries.ts';

/** Rows of one page: a description or a comment may be long. */
const pageRows = 200;

/**
 * Begins an attempt on an export that is not ready, of a verified account.
 *
 * @returns whose it is, and where the attempt before has written; null if there is nothing to do
 */
export async function beginAttempt(
  tx: Transaction,
  { exportId, attemptKey, since }: { exportId: string; attemptKey: string; since: Date },
) {
  const [row] = await tx
    .select({ userId: accountExports.userId, formerKey: accountExports.attemptKey })
    .from(accountExports)
    .innerJoin(users, eq(users.id, accountExports.userId))
    .where(
      and(
        eq(accountExports.id, exportId),
        isNull(accountExports.readyAt),
        gt(accountExports.createdAt, since),
        eq(users.accountStatus, 'VERIFIED'),
      ),
    )
    .for('update', { of: accountExports });
  if (!row) return null;
  await tx.update(accountExports).set({ attemptKey }).where(eq(accountExports.id, exportId));
  return row;
}

/** Makes the object of an attempt the export. @returns whether the attempt was still the latest one */
export async function finishAttempt(
  tx: Transaction,
  finished: { exportId: string; attemptKey: string; sizeBytes: number; readyAt: Date },
): Promise<boolean> {
  const { exportId, attemptKey, sizeBytes, readyAt } = finished;
  const ready = await tx
    .update(accountExports)
    .set({ key: attemptKey, attemptKey: null, sizeBytes, readyAt })
    .where(and(eq(accountExports.id, exportId), eq(accountExports.attemptKey, attemptKey)))
    .returning({ id: accountExports.id });
  return ready.length === 1;
}

/** @returns null for one that is gone or not ready, and of an account that is no longer verified */
export async function findReadyExport(db: Database, exportId: string) {
  const [row] = await db
    .select({ email: users.email, readyAt: accountExports.readyAt })
    .from(accountExports)
    .innerJoin(users, eq(users.id, accountExports.userId))
    .where(
      and(
        eq(accountExports.id, exportId),
        isNotNull(accountExports.readyAt),
        eq(users.accountStatus, 'VERIFIED'),
      ),
    );
  if (!row?.readyAt) return null;
  return { email: row.email, readyAt: row.readyAt };
}

/** Whose rows an export has, and from which organizations. */
export interface AccountScope {
  readonly userId: string;
  readonly readableIds: readonly string[];
  readonly personalId: string | null;
}

/** Finds the organizations that an account may read now, as a request for them would be decided. */
export async function findScope(db: Database, userId: string, now: Date): Promise<AccountScope> {
  const rows = await db
    .select({ id: organizations.id, type: organizations.type })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.userId, userId),
        eq(memberships.status, 'ACTIVE'),
        isNull(organizations.deletedAt),
        hasRequiredFactorAt(now),
      ),
    )
    .orderBy(asc(organizations.id));
  return {
    userId,
    readableIds: rows.map(({ id }) => id),
    personalId: rows.find(({ type }) => type === 'PERSONAL')?.id ?? null,
  };
}

type Row = Record<string, unknown>;

/** Lists the rows of a table that an export has, in pages. */
export async function* exportedRows(
  db: Database,
  table: ExportedTable,
  scope: AccountScope,
): AsyncGenerator<Row[]> {
  const { userId, readableIds } = scope;
  const places = table.isByOrganization ? readableIds : [null];
  for (const organizationId of places) {
    yield* pagesOf(db, table, { userId, readableIds, organizationId });
  }
}

async function* pagesOf(
  db: Database,
  { table, exported, isByOrganization }: ExportedTable,
  scope: ExportScope,
): AsyncGenerator<Row[]> {
  const names = isByOrganization ? ['organizationId', ...exported.columns] : exported.columns;
  const conditions = Object.entries(exported.onlyIf ?? {});
  const order = exported.pagesBy ?? primaryKeyOf(table);
  const selection = {
    ...Object.fromEntries([...names, ...order].map((name) => [name, columnOf(table, name)])),
    ...Object.fromEntries(
      conditions.map(([name, holds]) => [
        nameOfCondition(name),
        sql<boolean>`coalesce(${holds?.(table as never, scope)}, false)`,
      ]),
    ),
  };
  const isOwn = and(
    isByOrganization
      ? eq(columnOf(table, 'organizationId'), String(scope.organizationId))
      : undefined,
    typeof exported.rows === 'string'
      ? eq(columnOf(table, exported.rows), scope.userId)
      : exported.rows(table as never, scope),
  );
  let last: Row | undefined;
  do {
    const rows: Row[] = await db
      .select(selection)
      .from(table)
      .where(and(isOwn, last && after(table, order, last)))
      .orderBy(...order.map((name) => asc(columnOf(table, name))))
      .limit(pageRows);
    yield rows.map((row) => shown(row, names));
    last = rows.length < pageRows ? undefined : rows.at(-1);
  } while (last);
}

const nameOfCondition = (name: string) => `only if: ${name}`;

function shown(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(
    names.map((name) => [name, row[nameOfCondition(name)] === false ? null : row[name]]),
  );
}

function after(table: PgTable, order: readonly string[], last: Row): SQL {
  const columns = order.map((name) => columnOf(table, name));
  const values = columns.map((column, index) => sql.param(last[String(order[index])], column));
  return sql`(${sql.join(columns, sql`, `)}) > (${sql.join(values, sql`, `)})`;
}

/** @returns the names of its columns as rows have them */
function primaryKeyOf(table: PgTable): readonly string[] {
  const { primaryKeys } = getTableConfig(table);
  const columns = Object.entries<PgColumn>(getTableColumns(table));
  const composed = primaryKeys.flatMap((key) => key.columns);
  if (composed.length === 0)
    return columns.filter(([, { primary }]) => primary).map(([name]) => name);
  // Constraints have columns of their own: only the names are the same.
  return composed.flatMap((one) =>
    columns.filter(([, column]) => column.name === one.name).map(([name]) => name),
  );
}

/** Lists the present versions of the files in the personal organization, in pages. */
export async function* exportedFiles(
  db: Database,
  { personalId }: AccountScope,
): AsyncGenerator<Row[]> {
  if (personalId === null) return;
  let last: { id: string } | undefined;
  do {
    const rows = await db
      .select({
        id: assets.id,
        name: assets.name,
        contentType: assets.contentType,
        sizeBytes: assets.fileSizeBytes,
        sha256: storedObjects.checksum,
        versionNumber: assets.currentVersion,
        collectionId: assets.collectionId,
      })
      .from(assets)
      .innerJoin(
        assetVersions,
        and(
          eq(assetVersions.organizationId, personalId),
          eq(assetVersions.assetId, assets.id),
          eq(assetVersions.versionNumber, assets.currentVersion),
        ),
      )
      .innerJoin(
        storedObjects,
        isStoredObject({ organizationId: personalId, id: assetVersions.storedObjectId }),
      )
      .where(
        and(
          eq(assets.organizationId, personalId),
          isNull(assets.deletedAt),
          last && gt(assets.id, last.id),
        ),
      )
      .orderBy(asc(assets.id))
      .limit(pageRows);
    yield rows;
    last = rows.length < pageRows ? undefined : rows.at(-1);
  } while (last);
}
