import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import {
  assets,
  assetVersions,
  sharePictures,
  shareTickets,
  shareViews,
} from '../db/generated/schema.ts';
import { newId } from '../kernel/ids.ts';
import type { TestApi } from './api.ts';

/** Stores what a visit of a share leaves behind, and makes the assets of its organization public, directly in the database. */
export async function visitShare(
  { db, clock }: Pick<TestApi, 'db' | 'clock'>,
  visit: { organizationId: string; shareId: string; assetId: string },
): Promise<void> {
  const { organizationId, shareId, assetId } = visit;
  const at = clock.now();
  await db.insert(shareTickets).values({
    organizationId,
    shareId,
    ticketHash: randomBytes(32),
    shareRevision: 1,
    visitorName: 'Grace',
    // No upkeep of a test removes it.
    expiresAt: new Date(at.getTime() + 365 * 24 * 60 * 60 * 1000),
  });
  const view = { organizationId, shareId, at, assetId, device: '' };
  await db.insert(shareViews).values([
    { ...view, id: newId(), action: 'PREVIEWED' },
    { ...view, id: newId(), action: 'DOWNLOADED' },
  ]);
  const ofTeam = eq(assets.organizationId, organizationId);
  await db.update(assets).set({ publicLinkEnabled: true }).where(ofTeam);
  const [version] = await db
    .select({ storedObjectId: assetVersions.storedObjectId })
    .from(assetVersions)
    .where(
      and(eq(assetVersions.organizationId, organizationId), eq(assetVersions.assetId, assetId)),
    );
  if (!version) throw new Error('an asset without a version');
  await db
    .insert(sharePictures)
    .values({ organizationId, ...version, watermark: '', key: null, createdAt: at })
    .onConflictDoNothing();
}
