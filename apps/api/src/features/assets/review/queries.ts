import type { ReviewStatus } from '@atelier/contract';
import { and, eq } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';
import { assetVersions } from '../../../db/generated/schema.ts';

interface VersionKey {
  readonly organizationId: string;
  readonly assetId: string;
  readonly versionNumber: number;
}

/** Finds the review of a version of a locked asset. @returns null without the version */
export async function findReview(
  tx: Transaction,
  key: VersionKey,
): Promise<{ status: ReviewStatus } | null> {
  const [row] = await tx
    .select({ status: assetVersions.reviewStatus })
    .from(assetVersions)
    .where(isVersion(key));
  return row ? { status: row.status ?? 'NONE' } : null;
}

export async function setReview(
  tx: Transaction,
  key: VersionKey,
  { status, changedBy, changedAt }: { status: ReviewStatus; changedBy: string; changedAt: Date },
): Promise<void> {
  await tx
    .update(assetVersions)
    .set({
      reviewStatus: status === 'NONE' ? null : status,
      reviewedBy: changedBy,
      reviewedAt: changedAt,
    })
    .where(isVersion(key));
}

function isVersion({ organizationId, assetId, versionNumber }: VersionKey) {
  return and(
    eq(assetVersions.organizationId, organizationId),
    eq(assetVersions.assetId, assetId),
    eq(assetVersions.versionNumber, versionNumber),
  );
}
