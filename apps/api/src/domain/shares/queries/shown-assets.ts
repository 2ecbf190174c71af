import { and, desc, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { totalOfRows } from '../../../db/count.ts';
import type { Executor } from '../../../db/executor.ts';
import { afterPosition, orderOf } from '../../../db/keyset.ts';
import {
  assets,
  assetVersions,
  sharePictures,
  sharePins,
  storedObjects,
} from '../../../db/generated/schema.ts';
import type { RowWindow } from '../../../kernel/pagination.ts';
import { isStoredObject } from '../../stored-objects/queries.ts';

/** What decides which assets a share shows. */
export interface ShownBy {
  readonly organizationId: string;
  readonly id: string;
  readonly targetType: 'ASSET' | 'COLLECTION';
  readonly targetId: string;
  readonly versions: 'CURRENT' | 'PINNED';
  readonly watermark: string | null;
}

const columns = {
  id: assets.id,
  name: assets.name,
  createdAt: assets.createdAt,
  versionNumber: assetVersions.versionNumber,
  contentType: assetVersions.contentType,
  fileSizeBytes: storedObjects.sizeBytes,
  storedObjectId: storedObjects.id,
  key: storedObjects.key,
  detectedType: storedObjects.detectedType,
  /** Null: not inspected yet. */
  checksum: storedObjects.checksum,
  thumbnailKey: storedObjects.thumbnailKey,
  storedAt: storedObjects.createdAt,
  /** Null: not made yet, or none can be made. */
  pictureKey: sharePictures.key,
  hasPicture: sql<boolean>`${sharePictures.storedObjectId} is not null`,
};

/** The target is a condition of every query of a visitor: a share of an asset shows nothing of its collection. */
function shownBy({ organizationId, id, targetType, targetId, versions }: ShownBy): SQL {
  const isTarget =
    targetType === 'ASSET' ? eq(assets.id, targetId) : eq(assets.collectionId, targetId);
  const isPinned =
    versions === 'CURRENT'
      ? undefined
      : sql`exists (select from ${sharePins} where ${sharePins.organizationId} = ${organizationId}
          and ${sharePins.shareId} = ${id} and ${sharePins.assetId} = ${assets}.id)`;
  const shown = and(
    eq(assets.organizationId, organizationId),
    isTarget,
    isPinned,
    isNull(assets.deletedAt),
  );
  if (!shown) throw new Error('unreachable: there are conditions');
  return shown;
}

function shownVersion({ organizationId, id, versions }: ShownBy): SQL {
  if (versions === 'CURRENT') return sql`${assets.currentVersion}`;
  return sql`(select ${sharePins.versionNumber} from ${sharePins}
    where ${sharePins.organizationId} = ${organizationId} and ${sharePins.shareId} = ${id}
      and ${sharePins.assetId} = ${assets.id})`;
}

function selectShown(db: Executor, share: ShownBy) {
  const { organizationId, watermark } = share;
  return db
    .select(columns)
    .from(assets)
    .innerJoin(
      assetVersions,
      and(
        eq(assetVersions.organizationId, organizationId),
        eq(assetVersions.assetId, assets.id),
        eq(assetVersions.versionNumber, shownVersion(share)),
      ),
    )
    .innerJoin(storedObjects, isStoredObject({ organizationId, id: assetVersions.storedObjectId }))
    .leftJoin(
      sharePictures,
      and(
        eq(sharePictures.organizationId, organizationId),
        eq(sharePictures.storedObjectId, storedObjects.id),
        eq(sharePictures.watermark, watermark ?? ''),
      ),
    );
}

export async function listShown(db: Executor, share: ShownBy, window: RowWindow) {
  const shown = shownBy(share);
  const keyset = { column: assets.createdAt, id: assets.id, direction: 'descending' } as const;
  const [rows, total] = await Promise.all([
    selectShown(db, share)
      .where(and(shown, afterPosition(keyset, window)))
      .orderBy(...orderOf(keyset))
      .limit(window.limit)
      .offset(window.offset),
    totalOfRows(db, window, { table: assets, matching: shown }),
  ]);
  return { rows, ...total };
}

export async function findShown(db: Executor, share: ShownBy, assetId: string) {
  const [row] = await selectShown(db, share).where(and(shownBy(share), eq(assets.id, assetId)));
  return row ?? null;
}

export type ShownAsset = NonNullable<Awaited<ReturnType<typeof findShown>>>;

/** Files that a share shows without a picture for it so far: the inspected ones first, then the newest. */
export function listUnpictured(db: Executor, share: ShownBy, limit: number) {
  return selectShown(db, share)
    .where(and(shownBy(share), isNull(sharePictures.storedObjectId)))
    .orderBy(desc(sql`${storedObjects.checksum} is not null`), desc(storedObjects.id))
    .limit(limit);
}
