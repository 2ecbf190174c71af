import type { PostSharedCommentBody, SharedComment } from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../../db/executor.ts';
import type { Deps } from '../../../deps.ts';
import { recordActivity } from '../../../domain/activity.ts';
import { roundedAnchor } from '../../../domain/asset-comments/anchors.ts';
import { addToCounts, insertComment } from '../../../domain/asset-comments/queries.ts';
import { lockLivingAsset } from '../../../domain/asset-locks/queries.ts';
import { keepOrganization } from '../../../domain/authority/queries.ts';
import { followFromNow, notificationConsumer } from '../../../domain/log-positions/queries.ts';
import { displayNameOf } from '../../../domain/person-view/present-user.ts';
import { findShown, type ShownAsset } from '../../../domain/shares/queries/shown-assets.ts';
import { lockVisit } from '../../../domain/shares/queries/visits.ts';
import { mutate } from '../../../domain/transaction.ts';
import type { VisitedShare, VisitorContext } from '../../../kernel/context.ts';
import { Failure, invalidField } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { pageOf, rowWindowOf, type PageRequest } from '../../../kernel/pagination.ts';
import type { Note } from '../visits/notes.ts';
import {
  findSharedComment,
  listSharedComments,
  type SharedAssetKey,
  type SharedCommentRow,
} from './queries.ts';

type NewComment = z.output<typeof PostSharedCommentBody>;

/** What visitors of shares write about assets. */
export function sharedCommentUseCases({ db, clock, cursors }: Deps, note: Note) {
  return {
    /** @throws Failure `share_not_found` (404) for an asset that the share does not show, `share_comments_off` (403) */
    async list(assetId: string, request: PageRequest, { share }: VisitorContext) {
      const shown = await findShown(db, share, assetId);
      assertCommentable(share, shown);
      const continued = { list: `shared comments:${share.id}:${assetId}`, cursors };
      const window = rowWindowOf(request, continued);
      const found = await listSharedComments(db, keyOf(share, assetId), window);
      return pageOf(found, request, {
        ...continued,
        present: (row) => present(row, shown),
        positionOf: ({ createdAt, id }) => ({ sortValue: createdAt.toISOString(), id }),
      });
    },

    /**
     * Posts a comment of a guest on the version that the share shows, or a reply.
     *
     * @throws Failure `share_not_found` (404) for the share, the asset or the parent, `share_comments_off` (403),
     *   `validation_failed` (400) for a parent that is a reply, `unauthenticated` (401) after the visit
     */
    async create(assetId: string, body: NewComment, ctx: VisitorContext): Promise<SharedComment> {
      // The deletion of the organization locks assets before shares.
      const lockFirst = (tx: Transaction) => keepOrganization(tx, ctx.share.organizationId);
      const posted = await mutate({ db, clock, ctx, lockFirst }, async (tx, ctx) => {
        const share = await visitedNow(tx, ctx.share, clock.now());
        const asset = { organizationId: share.organizationId, assetId };
        const locked = await lockLivingAsset(tx, asset);
        const shown = locked && (await findShown(tx, share, assetId));
        assertCommentable(share, shown);
        const key = keyOf(share, assetId);
        const comment = {
          ...asset,
          id: newId(),
          shareId: share.id,
          guestName: body.visitorName,
          versionNumber: await versionFor(tx, { key, shown, parentId: body.parentId }),
          parentId: body.parentId ?? null,
          body: body.body,
          anchor: body.anchor ? roundedAnchor(body.anchor) : null,
          createdAt: clock.now(),
        };
        ctx.targets.note('params.id');
        ctx.targets.note('body.parentId');
        // A personal organization isn't followed before its first guest: it has one member, whom their own doings don't concern.
        if (share.isPersonal) {
          const { organizationId } = share;
          await followFromNow(tx, { organizationId, consumer: notificationConsumer }, clock.now());
        }
        await insertComment(tx, comment);
        await addToCounts(tx, asset, { comments: 1, open: comment.parentId === null ? 1 : 0 });
        await recordActivity(tx, {
          action: 'asset_comment.create',
          actorId: null,
          organizationId: share.organizationId,
          resourceType: 'asset_comment',
          resourceId: comment.id,
          resourceName: shown.name,
          // Without the guest's name, which ends with the comment.
          metadata: {
            assetId,
            versionNumber: comment.versionNumber,
            ...(comment.parentId !== null && { parentId: comment.parentId }),
            shareId: share.id,
            sharerId: share.sharer.id,
          },
          apiKeyId: null,
          requestId: ctx.requestId,
          at: comment.createdAt,
        });
        const row = await findSharedComment(tx, { ...key, id: comment.id });
        if (!row) throw new Error('a comment disappeared under its lock');
        return present(row, shown);
      });
      note(ctx.share, { action: 'COMMENTED', assetId, visitorName: body.visitorName }, ctx);
      return posted;
    },
  };
}

/** Locks the share and returns it as it is now: the visit may have ended while the body was read. */
async function visitedNow(
  tx: Transaction,
  visited: VisitedShare,
  now: Date,
): Promise<VisitedShare> {
  const share = await lockVisit(tx, visited, now);
  if (!share) throw new Failure('unauthenticated');
  if (!share.isLiving || !share.isOfRevision) throw new Failure('share_not_found');
  return share;
}

function assertCommentable(
  { allowComments }: VisitedShare,
  shown: ShownAsset | null,
): asserts shown is ShownAsset {
  if (!shown) throw new Failure('share_not_found');
  if (!allowComments) throw new Failure('share_comments_off');
}

/** A reply has the version of its comment. */
async function versionFor(
  tx: Transaction,
  {
    key,
    shown,
    parentId,
  }: { key: SharedAssetKey; shown: ShownAsset; parentId: string | undefined },
): Promise<number> {
  if (parentId === undefined) return shown.versionNumber;
  const parent = await findSharedComment(tx, { ...key, id: parentId });
  if (!parent) throw new Failure('share_not_found');
  if (parent.parentId !== null) {
    throw invalidField(['parentId'], 'is_reply', 'Invalid parent: it is a reply itself');
  }
  return parent.versionNumber;
}

function keyOf({ organizationId, id }: VisitedShare, assetId: string): SharedAssetKey {
  return { organizationId, shareId: id, assetId };
}

function present(
  { author, guestName, versionNumber, resolvedAt, ...row }: SharedCommentRow,
  shown: ShownAsset,
): SharedComment {
  return {
    id: row.id,
    parentId: row.parentId,
    author: author ? displayNameOf(author) : (guestName ?? ''),
    isGuest: author === null,
    body: row.body,
    anchor: row.anchor,
    isOnShownVersion: versionNumber === shown.versionNumber,
    isResolved: resolvedAt !== null,
    createdAt: row.createdAt.toISOString(),
    editedAt: row.editedAt?.toISOString() ?? null,
  };
}
