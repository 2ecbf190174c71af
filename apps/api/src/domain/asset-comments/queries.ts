import type { AssetAnchor } from '@atelier/contract';
import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { assetComments, assets } from '../../db/generated/schema.ts';

/** An asset within its organization. */
export interface AssetKey {
  readonly organizationId: string;
  readonly assetId: string;
}

/** A comment under its asset. */
export interface CommentKey extends AssetKey {
  readonly id: string;
}

/** Who wrote a comment: a member, or a guest of a share link. */
type Author =
  | { readonly authorId: string }
  | { readonly shareId: string; readonly guestName: string };

export type NewComment = CommentKey &
  Author & {
    readonly versionNumber: number;
    readonly parentId: string | null;
    readonly body: string;
    readonly anchor: AssetAnchor | null;
    readonly createdAt: Date;
  };

export async function insertComment(tx: Transaction, comment: NewComment): Promise<void> {
  await tx.insert(assetComments).values(comment);
}

/** Adds to the counts of an asset that the transaction has locked. */
export async function addToCounts(
  tx: Transaction,
  { organizationId, assetId }: AssetKey,
  added: { comments: number; open: number },
): Promise<void> {
  await tx
    .update(assets)
    .set({
      commentCount: sql`${assets.commentCount} + ${added.comments}::int`,
      openCommentCount: sql`${assets.openCommentCount} + ${added.open}::int`,
    })
    .where(and(eq(assets.organizationId, organizationId), eq(assets.id, assetId)));
}
