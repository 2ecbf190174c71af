import type { ShareStatus } from '@atelier/contract';
import { and, count, eq, gte, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm';
import { totalIn, totalOfRows } from '../../db/count.ts';
import type { Database, Executor, Transaction } from '../../db/executor.ts';
import {
  assets,
  assetVersions,
  collections,
  organizations,
  sharePins,
  shares,
  shareViews,
} from '../../db/generated/schema.ts';
import { afterPosition, orderOf } from '../../db/keyset.ts';
import { allowsPublicLinks } from '../../domain/public-links/queries.ts';
import { isOpenAt } from '../../domain/shares/queries/visits.ts';
import type { RowWindow } from '../../kernel/pagination.ts';

/** A share within its organization. */
export interface ShareKey {
  readonly organizationId: string;
  readonly id: string;
}

export interface ShareTarget {
  readonly targetType: 'ASSET' | 'COLLECTION';
  readonly targetId: string;
}

const isGone = sql`coalesce(${assets.deletedAt}, ${collections.deletedAt}) is not null
  or (${assets.id} is null and ${collections.id} is null)`;

function statusAt(now: Date): SQL<ShareStatus> {
  return sql<ShareStatus>`case
    when ${shares.revokedAt} is not null then 'REVOKED'
    when ${isGone} then 'TARGET_GONE'
    when ${shares.expiresAt} <= ${now.toISOString()}::timestamptz then 'EXPIRED'
    when ${shares.openingCount} >= ${shares.maxOpenings} then 'USED_UP'
    else 'ACTIVE' end`;
}

function viewAt(now: Date) {
  return {
    id: shares.id,
    targetType: shares.targetType,
    targetId: shares.targetId,
    title: sql<string | null>`coalesce(${assets.name}, ${collections.title})`,
    token: shares.token,
    label: shares.label,
    passwordHash: shares.passwordHash,
    revision: shares.revision,
    expiresAt: shares.expiresAt,
    allowDownload: shares.allowDownload,
    allowComments: shares.allowComments,
    versions: shares.versions,
    watermark: shares.watermark,
    maxOpenings: shares.maxOpenings,
    openingCount: shares.openingCount,
    lastOpenedAt: shares.lastOpenedAt,
    revokedAt: shares.revokedAt,
    status: statusAt(now),
    createdBy: shares.createdBy,
    createdAt: shares.createdAt,
    updatedAt: shares.updatedAt,
  };
}

const ofAsset = (organizationId: string) =>
  and(
    eq(assets.organizationId, organizationId),
    eq(shares.targetType, 'ASSET'),
    eq(assets.id, shares.targetId),
  );
const ofCollection = (organizationId: string) =>
  and(
    eq(collections.organizationId, organizationId),
    eq(shares.targetType, 'COLLECTION'),
    eq(collections.id, shares.targetId),
  );

function selectShares(db: Executor, organizationId: string, now: Date) {
  return db
    .select(viewAt(now))
    .from(shares)
    .leftJoin(assets, ofAsset(organizationId))
    .leftJoin(collections, ofCollection(organizationId));
}

const isShare = ({ organizationId, id }: ShareKey) =>
  and(eq(shares.organizationId, organizationId), eq(shares.id, id));

export async function findShare(db: Executor, key: ShareKey, now: Date) {
  const [row] = await selectShares(db, key.organizationId, now).where(isShare(key));
  return row ?? null;
}

export type ShareRow = NonNullable<Awaited<ReturnType<typeof findShare>>>;

/** Locks a share until the transaction ends. @returns its locked state */
export async function lockShare(tx: Transaction, key: ShareKey, now: Date) {
  await tx.select({ id: shares.id }).from(shares).where(isShare(key)).for('no key update');
  return findShare(tx, key, now);
}

export interface ShareFilter {
  readonly organizationId: string;
  /** Null: those of all members. */
  readonly createdBy: string | null;
  readonly targetType?: 'ASSET' | 'COLLECTION' | undefined;
  readonly targetId?: string | undefined;
  readonly status?: ShareStatus | undefined;
}

export async function listShares(
  db: Database,
  { organizationId, createdBy, targetType, targetId, status }: ShareFilter,
  { window, now }: { window: RowWindow; now: Date },
) {
  const matching = and(
    eq(shares.organizationId, organizationId),
    createdBy === null ? undefined : eq(shares.createdBy, createdBy),
    targetType && eq(shares.targetType, targetType),
    targetId === undefined ? undefined : eq(shares.targetId, targetId),
    status && sql`${statusAt(now)} = ${status}`,
  );
  const keyset = { column: shares.createdAt, id: shares.id, direction: 'descending' } as const;
  const [rows, total] = await Promise.all([
    selectShares(db, organizationId, now)
      .where(and(matching, afterPosition(keyset, window)))
      .orderBy(...orderOf(keyset))
      .limit(window.limit)
      .offset(window.offset),
    totalIn(window, async () => {
      const [counted] = await db
        .select({ count: count() })
        .from(shares)
        .leftJoin(assets, ofAsset(organizationId))
        .leftJoin(collections, ofCollection(organizationId))
        .where(matching);
      return counted?.count ?? 0;
    }),
  ]);
  return { rows, ...total };
}

/** Counts the shares that have not ended. Only under the lock of the organization. */
export async function countOpenShares(
  tx: Transaction,
  { organizationId, now }: { organizationId: string; now: Date },
): Promise<number> {
  return tx.$count(shares, and(eq(shares.organizationId, organizationId), isOpenAt(now)));
}

/** @returns its name; null if it isn't there */
export async function findTarget(
  tx: Transaction,
  organizationId: string,
  { targetType, targetId }: ShareTarget,
): Promise<{ readonly title: string; readonly createdBy: string } | null> {
  const isAsset = targetType === 'ASSET';
  const [row] = isAsset
    ? await tx
        .select({ title: assets.name, createdBy: assets.createdBy })
        .from(assets)
        .where(
          and(
            eq(assets.organizationId, organizationId),
            eq(assets.id, targetId),
            isNull(assets.deletedAt),
          ),
        )
    : await tx
        .select({ title: collections.title, createdBy: collections.createdBy })
        .from(collections)
        .where(
          and(
            eq(collections.organizationId, organizationId),
            eq(collections.id, targetId),
            isNull(collections.deletedAt),
          ),
        );
  return row ?? null;
}

type NewShare = typeof shares.$inferInsert;

export async function insertShare(tx: Transaction, row: NewShare): Promise<void> {
  await tx.insert(shares).values(row);
}

export async function updateShare(
  tx: Transaction,
  key: ShareKey,
  change: Partial<NewShare>,
): Promise<void> {
  await tx.update(shares).set(change).where(isShare(key));
}

/**
 * Pins what a share shows now, in place of what it has pinned.
 *
 * @param atMost - more are not pinned
 * @returns how many versions there are, at most one more than `atMost`
 */
export async function pinVersions(
  tx: Transaction,
  { organizationId, id }: ShareKey,
  { targetType, targetId, atMost }: ShareTarget & { atMost: number },
): Promise<number> {
  await unpinVersions(tx, { organizationId, id });
  const isTarget =
    targetType === 'ASSET' ? eq(assets.id, targetId) : eq(assets.collectionId, targetId);
  const pinned = await tx
    .insert(sharePins)
    .select(
      tx
        .select({
          organizationId: assets.organizationId,
          shareId: sql<string>`${id}::uuid`.as('share_id'),
          assetId: assets.id,
          versionNumber: assetVersions.versionNumber,
        })
        .from(assets)
        .innerJoin(
          assetVersions,
          and(
            eq(assetVersions.organizationId, organizationId),
            eq(assetVersions.assetId, assets.id),
            eq(assetVersions.versionNumber, assets.currentVersion),
          ),
        )
        .where(and(eq(assets.organizationId, organizationId), isTarget, isNull(assets.deletedAt)))
        .limit(atMost + 1),
    )
    .returning({ assetId: sharePins.assetId });
  return pinned.length;
}

export async function unpinVersions(
  tx: Transaction,
  { organizationId, id }: ShareKey,
): Promise<void> {
  await tx
    .delete(sharePins)
    .where(and(eq(sharePins.organizationId, organizationId), eq(sharePins.shareId, id)));
}

export interface ViewFilter {
  readonly action?: (typeof shareViews.$inferSelect)['action'] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export async function listViews(
  db: Database,
  { organizationId, id }: ShareKey,
  { filter, window }: { filter: ViewFilter; window: RowWindow },
) {
  const { action, from, to } = filter;
  const matching = and(
    eq(shareViews.organizationId, organizationId),
    eq(shareViews.shareId, id),
    action && eq(shareViews.action, action),
    from === undefined ? undefined : gte(shareViews.at, new Date(from)),
    to === undefined ? undefined : lt(shareViews.at, new Date(to)),
  );
  const keyset = { column: shareViews.at, id: shareViews.id, direction: 'descending' } as const;
  const [rows, total] = await Promise.all([
    db
      .select({
        id: shareViews.id,
        at: shareViews.at,
        action: shareViews.action,
        assetId: shareViews.assetId,
        assetName: assets.name,
        visitorName: shareViews.visitorName,
        network: shareViews.network,
        device: shareViews.device,
      })
      .from(shareViews)
      .leftJoin(
        assets,
        and(eq(assets.organizationId, organizationId), eq(assets.id, shareViews.assetId)),
      )
      .where(and(matching, afterPosition(keyset, window)))
      .orderBy(...orderOf(keyset))
      .limit(window.limit)
      .offset(window.offset),
    totalOfRows(db, window, { table: shareViews, matching }),
  ]);
  return { rows, ...total };
}

/** Lists the assets whose public links work. @param createdBy - null: those of all members */
export async function listPublicLinks(
  db: Database,
  { organizationId, createdBy }: Pick<ShareFilter, 'organizationId' | 'createdBy'>,
  window: RowWindow,
) {
  const allowing = db
    .select({ id: organizations.id })
    .from(organizations)
    .where(and(eq(organizations.id, organizationId), allowsPublicLinks));
  const matching = and(
    eq(assets.organizationId, organizationId),
    inArray(assets.organizationId, allowing),
    createdBy === null ? undefined : eq(assets.createdBy, createdBy),
    isNull(assets.deletedAt),
    eq(assets.publicLinkEnabled, true),
  );
  const keyset = { column: assets.createdAt, id: assets.id, direction: 'descending' } as const;
  const [rows, total] = await Promise.all([
    db
      .select({
        id: assets.id,
        assetName: assets.name,
        shortCode: assets.shortCode,
        createdBy: assets.createdBy,
        createdAt: assets.createdAt,
      })
      .from(assets)
      .where(and(matching, afterPosition(keyset, window)))
      .orderBy(...orderOf(keyset))
      .limit(window.limit)
      .offset(window.offset),
    totalOfRows(db, window, { table: assets, matching }),
  ]);
  return { rows, ...total };
}
