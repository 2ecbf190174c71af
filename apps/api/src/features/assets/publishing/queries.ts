import { and, asc, desc, eq, isNull, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';
import {
  assets,
  assetVersions,
  collections,
  organizations,
  storedObjects,
} from '../../../db/generated/schema.ts';
import { keyReaches } from '../../../domain/authority/queries.ts';
import { newShortCode } from '../../../kernel/ids.ts';
import { startsPublic } from '../../../domain/public-links/queries.ts';
import type { NewVersion } from '../versions/queries.ts';
import { isStoredObject } from '../../../domain/stored-objects/queries.ts';

/** The source and target of a publication. */
export interface Publication {
  readonly organizationId: string;
  readonly sourceAssetId: string;
}

/** @returns null for a service account, which has none, and for a key that doesn't reach it */
export async function findPersonalOrganization(
  tx: Transaction,
  { userId, apiKeyId, now }: { userId: string; apiKeyId: string | null; now: Date },
): Promise<string | null> {
  const [row] = await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(and(eq(organizations.ownerId, userId), eq(organizations.type, 'PERSONAL')));
  if (!row) return null;
  const { id: organizationId } = row;
  const isReached = apiKeyId === null || (await keyReaches(tx, { organizationId, apiKeyId, now }));
  return isReached ? organizationId : null;
}

/** Locks the organization's copy of a source: its newest asset that is not in the bin. */
export async function lockPublished(
  tx: Transaction,
  { organizationId, sourceAssetId }: Publication,
): Promise<{ id: string; currentVersion: number } | null> {
  const [row] = await tx
    .select({ id: assets.id, currentVersion: assets.currentVersion })
    .from(assets)
    .where(
      and(
        eq(assets.organizationId, organizationId),
        eq(assets.publishedFromAssetId, sourceAssetId),
        isNull(assets.deletedAt),
      ),
    )
    .orderBy(desc(assets.createdAt), desc(assets.id))
    .limit(1)
    .for('no key update');
  return row ?? null;
}

/**
 * Finds the storage key of the object that the source last gave to a published asset, regardless of later uploads to it
 * and restorations. The two organizations may be on different servers, so each is asked by itself.
 */
export async function findLastPublishedKey(
  tx: Transaction,
  publication: Publication & { assetId: string; sourceOrganizationId: string },
): Promise<string | null> {
  const { organizationId, assetId, sourceOrganizationId, sourceAssetId } = publication;
  const [ofSource, added] = await Promise.all([
    keysOf(tx, { organizationId: sourceOrganizationId, assetId: sourceAssetId }),
    keysOf(tx, { organizationId, assetId }, isNull(assetVersions.restoredFrom)),
  ]);
  const known = new Set(ofSource.map(({ key }) => key));
  return added.find(({ key }) => known.has(key))?.key ?? null;
}

/** The newest version first. */
function keysOf(
  tx: Transaction,
  { organizationId, assetId }: { organizationId: string; assetId: string },
  condition?: SQL,
) {
  return tx
    .select({ key: storedObjects.key })
    .from(assetVersions)
    .innerJoin(storedObjects, isStoredObject({ organizationId, id: assetVersions.storedObjectId }))
    .where(
      and(
        eq(assetVersions.organizationId, organizationId),
        eq(assetVersions.assetId, assetId),
        condition,
      ),
    )
    .orderBy(desc(assetVersions.versionNumber));
}

/** Locks a person's oldest collection of a title against deletion until the transaction ends. @returns its id */
export async function lockCollectionTitled(
  tx: Transaction,
  {
    organizationId,
    createdBy,
    title,
  }: { organizationId: string; createdBy: string; title: string },
): Promise<string | null> {
  const [row] = await tx
    .select({ id: collections.id })
    .from(collections)
    .where(
      and(
        eq(collections.organizationId, organizationId),
        eq(collections.createdBy, createdBy),
        eq(collections.title, title),
        isNull(collections.deletedAt),
      ),
    )
    .orderBy(asc(collections.createdAt), asc(collections.id))
    .limit(1)
    .for('share');
  return row?.id ?? null;
}

export async function insertCollection(
  tx: Transaction,
  row: { id: string; organizationId: string; title: string; createdBy: string; createdAt: Date },
): Promise<void> {
  await tx.insert(collections).values({ ...row, updatedAt: row.createdAt });
}

/** Inserts the asset before the version that it has as its current one. */
export async function insertPublishedAsset(
  tx: Transaction,
  version: NewVersion,
  asset: { sourceAssetId: string; collectionId: string; name: string; nameFolded: string },
): Promise<void> {
  const [organization] = await tx
    .select({ startsPublic })
    .from(organizations)
    .where(eq(organizations.id, version.organizationId));
  await tx.insert(assets).values({
    id: version.assetId,
    organizationId: version.organizationId,
    collectionId: asset.collectionId,
    name: asset.name,
    nameFolded: asset.nameFolded,
    contentType: version.content.contentType,
    fileSizeBytes: version.content.fileSizeBytes,
    currentVersion: version.versionNumber,
    shortCode: newShortCode(),
    publicLinkEnabled: organization?.startsPublic ?? false,
    publishedFromAssetId: asset.sourceAssetId,
    createdBy: version.createdBy,
    createdAt: version.now,
    updatedAt: version.now,
  });
}
