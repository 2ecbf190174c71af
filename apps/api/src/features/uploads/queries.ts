import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { announceAfterCommit } from '../../db/session/after-commit.ts';
import type { Executor, Transaction } from '../../db/executor.ts';
import { assets, collections, organizationUsage, uploads } from '../../db/generated/schema.ts';
import { lockingStatement, placeholdersOf, statement } from '../../db/session/statement.ts';
import type { AuthorityValues } from '../../domain/authority/queries.ts';
import { lockUsage, usageColumns, usageJoins } from '../../domain/storage-usage/queries.ts';
import { uploadColumns, type UploadRow } from '../../domain/save-upload/queries.ts';

/** An upload, whether its collection is there, or the asset that it names, and that asset's author. */
export interface FoundUpload extends UploadRow {
  readonly hasTarget: boolean;
  readonly targetCreatedBy: string | null;
}

const uploadWithTarget = statement((db) =>
  db
    .select({
      ...uploadColumns,
      hasTarget: sql<boolean>`case when ${uploads.targetAssetId} is null then ${collections.id} else ${assets.id} end is not null`,
      targetCreatedBy: assets.createdBy,
    })
    .from(uploads)
    .leftJoin(
      collections,
      and(
        eq(collections.organizationId, sql.placeholder('organizationId')),
        eq(collections.id, uploads.collectionId),
        isNull(collections.deletedAt),
      ),
    )
    .leftJoin(
      assets,
      and(
        eq(assets.organizationId, sql.placeholder('organizationId')),
        eq(assets.id, uploads.targetAssetId),
        isNull(assets.deletedAt),
      ),
    )
    .where(
      and(
        eq(uploads.organizationId, sql.placeholder('organizationId')),
        eq(uploads.id, sql.placeholder('id')),
      ),
    ),
);

export async function findUpload(
  db: Executor,
  key: { organizationId: string; id: string },
): Promise<FoundUpload | null> {
  const [row] = await uploadWithTarget(db, key);
  return row ?? null;
}

/** An upload, and the rights that its uploader must still have. */
export interface StartedUpload extends AuthorityValues {
  readonly id: string;
  readonly storageUploadId: string;
  /** When it expires from now on. */
  readonly expiresAt: Date;
  readonly activityId: string;
  readonly requestId: string;
}

const value = sql.placeholder;

/** A function of the database proves the authority and writes both rows in one round trip. */
const startedUpload = lockingStatement((db) =>
  db.select({ isStarted: sql<boolean>`started` })
    .from(sql`start_upload(${value('credentialId')}::uuid, ${value('userId')}::uuid,
    ${value('organizationId')}::uuid, ${sql.param(value('now'), uploads.createdAt)}::timestamptz, ${value('roles')}::text[],
    ${value('id')}::uuid, ${value('storageUploadId')}::text, ${sql.param(value('expiresAt'), uploads.expiresAt)}::timestamptz,
    ${value('activityId')}::uuid, ${value('apiKeyId')}::uuid, ${value('requestId')}::text) as started`),
);

/**
 * Stores the storage's id of an upload and until when it lives, and records its initiation, in one statement.
 *
 * @returns false when it isn't active any more, its reservation has expired, or without authority
 */
export async function startUpload(db: Executor, upload: StartedUpload): Promise<boolean> {
  const [row] = await startedUpload(db, { ...upload });
  const isStarted = row?.isStarted ?? false;
  if (isStarted) announceAfterCommit(db, `organization:${upload.organizationId}`);
  return isStarted;
}

const openUploadsLocked = statement((tx) =>
  tx
    .select({
      locked: sql`pg_advisory_xact_lock(hashtextextended('open uploads of ' || ${sql.placeholder('userId')}::text, 0))`,
    })
    .from(sql`(values (1)) as once`),
);

/** A function of the database: it knows whether all organizations are on its server. */
const openUploadsCounted = statement((tx) =>
  tx.select({ count: sql<number>`open_uploads.count` })
    .from(sql`claim_upload(${value('organizationId')}::uuid, ${value('userId')}::uuid, ${value('id')}::uuid,
      ${sql.param(value('createdAt'), uploads.createdAt)}::timestamptz,
      ${sql.param(value('expiresAt'), uploads.expiresAt)}::timestamptz, ${value('most')}::integer) as open_uploads(count)`),
);

/**
 * Counts the other uploads that a user has open, in all organizations; a distributed database notes the new one for the next
 * count. Another count of them waits until the transaction ends. Call it after {@link lockPlace}, as all code that takes both.
 *
 * @param upload - it expires when it does once it has started
 * @param most - how many a user may have open; a number below it may be higher than that of the open ones
 */
export async function countOpenUploads(
  tx: Transaction,
  { organizationId, id, userId, createdAt, expiresAt }: NewUpload,
  most: number,
): Promise<number> {
  // Sent together, in this order: the count sees what was committed while the lock was pending.
  const [, [row]] = await Promise.all([
    openUploadsLocked(tx, { userId }),
    openUploadsCounted(tx, { organizationId, id, userId, createdAt, expiresAt, most }),
  ]);
  return row?.count ?? 0;
}

export type NewUpload = Omit<
  typeof uploads.$inferInsert,
  'status' | 'assetId' | 'storageUploadId' | 'targetAssetId'
> & { readonly targetAssetId: string | null };

/** The target of a new upload; `createdBy` is null for one that becomes a new asset. */
interface Place {
  readonly currentVersion: number;
  readonly createdBy: string | null;
}

const homeLocked = statement((tx) =>
  tx
    .select({ id: collections.id })
    .from(collections)
    .where(
      and(
        eq(collections.organizationId, value('organizationId')),
        eq(collections.id, value('collectionId')),
        isNull(collections.deletedAt),
      ),
    )
    .for('share'),
);

const targetLocked = statement((tx) =>
  tx
    .select({ currentVersion: assets.currentVersion, createdBy: assets.createdBy })
    .from(assets)
    .where(
      and(
        eq(assets.organizationId, value('organizationId')),
        eq(assets.collectionId, value('collectionId')),
        eq(assets.id, value('targetAssetId')),
        isNull(assets.deletedAt),
      ),
    )
    .for('no key update'),
);

/**
 * Locks the target of a new upload until the transaction ends, in the order of all other writers:
 * collection, asset, usage.
 *
 * @returns the version that the asset has, 0 when none is named, and its author; null when the collection
 * does not exist, or does not contain the asset
 */
export async function lockPlace(tx: Transaction, upload: NewUpload): Promise<Place | null> {
  const { organizationId, collectionId, targetAssetId } = upload;
  // Sent together, in this order.
  const [[home], [target]] = await Promise.all([
    homeLocked(tx, { organizationId, collectionId }),
    targetAssetId === null
      ? [{ currentVersion: 0, createdBy: null }]
      : targetLocked(tx, { organizationId, collectionId, targetAssetId }),
    lockUsage(tx, organizationId),
  ]);
  return (home && target) ?? null;
}

const now = sql`${sql.param(value('now'), uploads.expiresAt)}`;

const usageBefore = statement((tx) =>
  tx
    .select({
      ...usageColumns({ organizationId: value('organizationId'), now }),
      versionsUnderWay: sql<number>`(
        select count(*)::int from ${uploads}
        where ${uploads.organizationId} = ${value('organizationId')}
          and ${uploads.targetAssetId} = ${value('targetAssetId')}
          and ${uploads.status} = 'ACTIVE' and ${gt(uploads.expiresAt, now)})`,
    })
    .from(organizationUsage)
    .innerJoin(usageJoins.organization.table, usageJoins.organization.on)
    .innerJoin(usageJoins.plan.table, usageJoins.plan.on)
    .where(eq(organizationUsage.organizationId, value('organizationId'))),
);

const uploadInserted = statement((tx) =>
  tx.insert(uploads).values({
    ...placeholdersOf(uploads, [
      'id',
      'organizationId',
      'collectionId',
      'targetAssetId',
      'userId',
      'key',
      'fileName',
      'contentType',
      'fileSizeBytes',
      'partSizeBytes',
      'createdAt',
      'expiresAt',
    ]),
    status: 'ACTIVE',
  }),
);

/**
 * Stores an upload whose target is locked. It reserves its bytes of the plan from then on.
 *
 * @returns the bytes stored and reserved before, and how many uploads under way go to the same asset
 */
export async function insertUpload(tx: Transaction, upload: NewUpload) {
  const { organizationId, targetAssetId, createdAt } = upload;
  // Sent together, in this order: the reservations don't include this one.
  const [[row]] = await Promise.all([
    usageBefore(tx, { organizationId, targetAssetId, now: createdAt }),
    uploadInserted(tx, { ...upload }),
  ]);
  if (!row) throw new Error('an organization without a plan');
  return row;
}
