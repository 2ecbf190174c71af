import { and, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import { announceAfterCommit } from '../../db/session/after-commit.ts';
import type { Executor, Transaction } from '../../db/executor.ts';
import { assets, collections, organizationUsage, uploads } from '../../db/generated/schema.ts';
import { statement } from '../../db/session/statement.ts';
import { activityInsert } from '../../domain/activity.ts';
import { authorityPart, type AuthorityValues } from '../../domain/authority/queries.ts';
import { usageColumns, usageJoins, usageLocked } from '../../domain/storage-usage/queries.ts';
import { uploadColumns, type UploadRow } from '../../domain/save-upload/queries.ts';

/** An upload, whether its collection exists, and its asset, if named, with the asset's author. */
export interface FoundUpload extends UploadRow {
  readonly hasTarget: boolean;
  readonly targetCreatedBy: string | null;
}

const uploadWithTarget = statement((db) =>
  db
    .select({
      ...uploadColumns,
      hasTarget: sql<boolean>`${collections.id} is not null and (${uploads.targetAssetId} is null or ${assets.id} is not null)`,
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
  readonly activityId: string;
  readonly requestId: string;
}

const value = sql.placeholder;

const startedUpload = statement((db) => {
  const uploader = db.$with('uploader', {}).as(authorityPart);
  const started = db.$with('started', { id: sql<string>`id`.as('id') }).as(sql`
    update ${uploads} set storage_upload_id = ${value('storageUploadId')}::text
    where exists (select from uploader) and organization_id = ${value('organizationId')}::uuid and id = ${value('id')}::uuid
      and status = 'ACTIVE'
    returning *`);
  const recorded = db.$with('recorded', {}).as(
    activityInsert(
      {
        id: sql`${value('activityId')}::uuid`,
        action: sql`'upload.initiate'`,
        actorId: sql`user_id`,
        organizationId: sql`organization_id`,
        resourceType: sql`'upload'`,
        resourceId: sql`id`,
        resourceName: sql`file_name`,
        metadata: sql`'{}'::jsonb`,
        apiKeyId: sql`${value('apiKeyId')}::uuid`,
        requestId: sql`${value('requestId')}::text`,
        at: sql`created_at`,
      },
      sql`started`,
    ),
  );
  return db.with(uploader, started, recorded).select({ id: started.id }).from(started);
});

/**
 * Stores the storage's id of an upload and records its initiation, in one statement.
 *
 * @returns false when it isn't active any more, or without authority
 */
export async function startUpload(db: Executor, upload: StartedUpload): Promise<boolean> {
  const rows = await startedUpload(db, { ...upload });
  const isStarted = rows.length === 1;
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

const openUploadsCounted = statement((tx) =>
  tx
    .select({ count: sql<number>`count(*)::int` })
    .from(uploads)
    .where(
      and(
        eq(uploads.userId, sql.placeholder('userId')),
        eq(uploads.status, sql.placeholder('status')),
        gt(uploads.expiresAt, sql.param(sql.placeholder('now'), uploads.expiresAt)),
        ne(uploads.id, sql.placeholder('id')),
      ),
    ),
);

/**
 * Counts the other uploads that a user has open, in all organizations. Another count of them waits
 * until the transaction ends. Call it after {@link lockPlace}, as all code that takes both.
 */
export async function countOpenUploads(
  tx: Transaction,
  { id, userId, createdAt: now }: NewUpload,
): Promise<number> {
  // Sent together, in this order: the count sees what was committed while the lock was pending.
  const [, [row]] = await Promise.all([
    openUploadsLocked(tx, { userId }),
    openUploadsCounted(tx, { userId, status: 'ACTIVE', now, id }),
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

/**
 * Locks the target of a new upload until the transaction ends, in the order of all other writers:
 * collection, asset, usage.
 *
 * @returns the version that the asset has, 0 when none is named, and its author; null when the collection
 * does not exist, or does not contain the asset
 */
export async function lockPlace(tx: Transaction, upload: NewUpload): Promise<Place | null> {
  const { organizationId, collectionId, targetAssetId } = upload;
  const home = tx.$with('home', {}).as(sql`
    select organization_id, id from ${collections}
    where organization_id = ${organizationId} and id = ${collectionId} and deleted_at is null
    for share`);
  const currentVersion = sql<number>`current_version`.as('current_version');
  const createdBy = sql<string | null>`created_by`.as('created_by');
  const place = tx.$with('place', { currentVersion, createdBy }).as(
    targetAssetId === null
      ? sql`select home.organization_id, 0 as current_version, null::uuid as created_by from home`
      : sql`
        select home.organization_id, ${assets}.current_version, ${assets}.created_by
        from home join ${assets} on ${assets}.organization_id = ${organizationId}
          and ${assets}.collection_id = home.id
        where ${assets}.id = ${targetAssetId} and ${assets}.deleted_at is null
        for no key update of ${assets}`,
  );
  const usage = tx.$with('usage', {}).as(usageLocked(sql`place`));
  const [row] = await tx
    .with(home, place, usage)
    .select({ currentVersion: place.currentVersion, createdBy: place.createdBy })
    .from(place)
    .innerJoin(sql`usage`, sql`usage.organization_id = place.organization_id`);
  return row ?? null;
}

/**
 * Stores an upload whose target is locked. It reserves its bytes of the plan from then on.
 *
 * @returns the bytes stored and reserved before, and how many uploads under way go to the same asset
 */
export async function insertUpload(tx: Transaction, upload: NewUpload) {
  const { organizationId, targetAssetId, createdAt: now } = upload;
  const inserted = tx.$with('inserted', {}).as(
    tx
      .insert(uploads)
      .values({ ...upload, status: 'ACTIVE' })
      .getSQL(),
  );
  const [row] = await tx
    .with(inserted)
    .select({
      ...usageColumns({ organizationId, now }),
      versionsUnderWay: sql<number>`(
        select count(*)::int from ${uploads}
        where ${uploads.organizationId} = ${organizationId} and ${uploads.targetAssetId} = ${targetAssetId}
          and ${uploads.status} = 'ACTIVE' and ${gt(uploads.expiresAt, now)})`,
    })
    .from(organizationUsage)
    .innerJoin(usageJoins.organization.table, usageJoins.organization.on)
    .innerJoin(usageJoins.plan.table, usageJoins.plan.on)
    .where(eq(organizationUsage.organizationId, organizationId));
  if (!row) throw new Error('an organization without a plan');
  return row;
}
