import {
  AssetComment,
  maxMarkers,
  maxMarkerText,
  type AssetMarker,
  type AssetMarkers,
  type PostAssetCommentBody,
} from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { aboutResource, recordActivity } from '../../domain/activity.ts';
import { roundedAnchor } from '../../domain/asset-comments/anchors.ts';
import { lockLivingAsset } from '../../domain/asset-locks/queries.ts';
import {
  addToCounts,
  insertComment,
  type AssetKey,
  type CommentKey,
} from '../../domain/asset-comments/queries.ts';
import { mentionedBy } from '../../domain/mentions/mentioned.ts';
import { displayNameOf } from '../../domain/person-view/present-user.ts';
import {
  pictureAddressesOf,
  shownPerson,
  type PictureAddresses,
} from '../../domain/person-view/present.ts';
import { mutate } from '../../domain/transaction.ts';
import type { MemberContext } from '../../kernel/context.ts';
import { Failure, invalidField } from '../../kernel/errors.ts';
import { assertUnchanged } from '../../kernel/etag.ts';
import { newId } from '../../kernel/ids.ts';
import { pageOf, rowWindowOf, type PageRequest } from '../../kernel/pagination.ts';
import { assertMayTouch, assertMayUse } from '../../kernel/permissions.ts';
import { timecodeOf } from './policy.ts';
import {
  changeBody,
  deleteThread,
  findComment,
  findVersion,
  listComments,
  listTimes,
  setResolved,
  type CommentRow,
} from './queries.ts';

interface ListRequest extends PageRequest {
  readonly version?: number | undefined;
  readonly isResolved?: boolean | undefined;
}

/** The path parameters of a comment. */
interface CommentAddress {
  readonly id: string;
  readonly commentId: string;
}

interface MarkerRequest {
  readonly version?: number | undefined;
  /** Frames per second. */
  readonly frameRate?: number | undefined;
}

/** A comment with the name of its asset. */
interface LockedComment extends CommentRow {
  readonly assetName: string;
}

type NewComment = z.output<typeof PostAssetCommentBody>;

const aboutComment = aboutResource(
  'asset_comment',
  ({ assetName }: { readonly assetName: string }) => assetName,
);

/** Manages comments on assets of the selected organization. */
export function assetCommentUseCases({ db, clock, cursors, store }: Deps) {
  async function presentOne(row: CommentRow): Promise<AssetComment> {
    return present(row, await pictureAddressesOf(store, peopleOf([row])));
  }

  /**
   * Locks the asset of a comment for the rest of the transaction and returns the comment's current state.
   *
   * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412)
   */
  async function lockForChange(
    tx: Transaction,
    address: CommentAddress,
    { ctx, assertMayChange }: { ctx: MemberContext; assertMayChange: (row: CommentRow) => void },
  ): Promise<LockedComment> {
    const key = keyOf(address, ctx);
    const asset = await lockLivingAsset(tx, key);
    const row = asset && (await findComment(tx, key));
    if (!row) throw new Failure('not_found');
    assertMayUse(ctx, 'params.id');
    assertMayChange(row);
    assertUnchanged(ctx, AssetComment, await presentOne(row));
    return { ...row, assetName: asset.name };
  }

  return {
    /** @throws Failure `not_found` (404) for the asset */
    async list(assetId: string, request: ListRequest, ctx: MemberContext) {
      const { version, isResolved } = request;
      const list = ['asset-comments', assetId, version, isResolved].join(':');
      const found = await listComments(
        db,
        { organizationId: ctx.organization.id, assetId },
        {
          filter: { versionNumber: version, isResolved },
          window: rowWindowOf(request, { list, cursors }),
        },
      );
      if (!found) throw new Failure('not_found');
      const pictures = await pictureAddressesOf(store, peopleOf(found.rows));
      return pageOf(found, request, {
        list,
        cursors,
        present: (row) => present(row, pictures),
        positionOf: ({ createdAt, id }) => ({ sortValue: createdAt.toISOString(), id }),
      });
    },

    /** @throws Failure `not_found` (404) for the asset or the version */
    async markers(
      assetId: string,
      { version, frameRate }: MarkerRequest,
      ctx: MemberContext,
    ): Promise<z.output<typeof AssetMarkers>> {
      const key = { organizationId: ctx.organization.id, assetId };
      const versionNumber = await findVersion(db, { ...key, versionNumber: version ?? null });
      if (versionNumber === null) throw new Failure('not_found');
      const rows = await listTimes(db, { ...key, versionNumber, limit: maxMarkers + 1 });
      return {
        items: rows.slice(0, maxMarkers).flatMap((row) => markerOf(row, frameRate ?? null)),
        isComplete: rows.length <= maxMarkers,
      };
    },

    /**
     * Posts a comment or a reply, and notifies the mentioned members.
     *
     * @throws Failure `not_found` (404) for the asset, the version or the parent; `validation_failed` (400) for a parent
     *   that is a reply
     */
    async create(assetId: string, body: NewComment, ctx: MemberContext): Promise<AssetComment> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const asset = { organizationId: ctx.organization.id, assetId };
        const found = await lockLivingAsset(tx, asset);
        if (!found) throw new Failure('not_found');
        assertMayUse(ctx, 'params.id', 'body.parentId');
        const comment = {
          ...asset,
          id: newId(),
          versionNumber: await versionFor(tx, asset, body),
          parentId: body.parentId ?? null,
          authorId: ctx.user.id,
          body: body.body,
          anchor: body.anchor ? roundedAnchor(body.anchor) : null,
          createdAt: clock.now(),
        };
        const mentionedIds = await mentionedBy(tx, { before: '', after: body.body }, ctx);
        await insertComment(tx, comment);
        await addToCounts(tx, asset, { comments: 1, open: body.parentId ? 0 : 1 });
        await recordActivity(tx, {
          ...aboutComment({ ...comment, assetName: found.name }, ctx, comment.createdAt),
          action: 'asset_comment.create',
          metadata: metadataOf(comment, mentionedIds),
        });
        const posted = await findComment(tx, comment);
        if (!posted) throw new Error('a comment disappeared under its lock');
        return presentOne(posted);
      });
    },

    /**
     * Edits a comment and notifies newly mentioned members. No-op when unchanged.
     *
     * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412)
     */
    async update(address: CommentAddress, body: string, ctx: MemberContext): Promise<AssetComment> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, address, {
          ctx,
          assertMayChange: ({ author }) =>
            // Guests can't edit, and what they wrote is of no member.
            assertMayTouch(ctx, 'params.commentId', { createdBy: author?.id ?? guest }),
        });
        if (body === current.body) return presentOne(current);
        const edited = { ...current, body, editedAt: clock.now() };
        await changeBody(tx, keyOf(address, ctx), { body, editedAt: edited.editedAt });
        const mentionedIds = await mentionedBy(tx, { before: current.body, after: body }, ctx);
        await recordActivity(tx, {
          ...aboutComment(current, ctx, edited.editedAt),
          action: 'asset_comment.update',
          changes: [{ field: 'body', from: current.body, to: body }],
          metadata: metadataOf(current, mentionedIds),
        });
        return presentOne(edited);
      });
    },

    /**
     * Resolves or reopens a comment. No-op when unchanged.
     *
     * @throws Failure `not_found` (404), `validation_failed` (400) for a reply, `precondition_failed` (412)
     */
    async resolve(
      address: CommentAddress,
      isResolved: boolean,
      ctx: MemberContext,
    ): Promise<AssetComment> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, address, {
          ctx,
          assertMayChange: () => assertMayUse(ctx, 'params.commentId'),
        });
        if (current.parentId !== null) {
          throw invalidField(['isResolved'], 'is_reply', 'Invalid comment: it is a reply');
        }
        if (isResolved === (current.resolvedAt !== null)) return presentOne(current);
        const key = keyOf(address, ctx);
        const now = clock.now();
        await setResolved(
          tx,
          key,
          isResolved ? { resolvedAt: now, resolvedBy: ctx.user.id } : null,
        );
        await addToCounts(tx, key, { comments: 0, open: isResolved ? -1 : 1 });
        await recordActivity(tx, {
          ...aboutComment(current, ctx, now),
          action: isResolved ? 'asset_comment.resolve' : 'asset_comment.reopen',
          metadata: metadataOf(current, []),
        });
        return presentOne({
          ...current,
          resolvedAt: isResolved ? now : null,
          resolver: isResolved ? ctx.user : null,
        });
      });
    },

    /**
     * Deletes a comment with its replies.
     *
     * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412)
     */
    async remove(address: CommentAddress, ctx: MemberContext): Promise<{ id: string }> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, address, {
          ctx,
          // A comment of a guest has no author among the members: those who may comment may delete it.
          assertMayChange: ({ author }) =>
            assertMayTouch(ctx, 'params.commentId', { createdBy: author?.id ?? ctx.user.id }),
        });
        const key = keyOf(address, ctx);
        const deletedCount = await deleteThread(tx, key);
        const wasOpen = current.parentId === null && current.resolvedAt === null;
        await addToCounts(tx, key, { comments: -deletedCount, open: wasOpen ? -1 : 0 });
        await recordActivity(tx, {
          ...aboutComment(current, ctx, clock.now()),
          action: 'asset_comment.delete',
          metadata: { ...metadataOf(current, []), replyCount: deletedCount - 1 },
        });
        return { id: current.id };
      });
    },
  };
}

/** No id of an account. */
const guest = '';

/** @throws Failure `not_found` (404), `validation_failed` (400) for a parent that is a reply */
async function versionFor(
  tx: Transaction,
  asset: AssetKey,
  { parentId, versionNumber }: NewComment,
): Promise<number> {
  if (parentId !== undefined) {
    const parent = await findComment(tx, { ...asset, id: parentId });
    if (!parent) throw new Failure('not_found');
    if (parent.parentId !== null) {
      throw invalidField(['parentId'], 'is_reply', 'Invalid parent: it is a reply itself');
    }
    return parent.versionNumber;
  }
  const found = await findVersion(tx, { ...asset, versionNumber: versionNumber ?? null });
  if (found === null) throw new Failure('not_found');
  return found;
}

/** What the activities of a comment say besides. */
function metadataOf(
  { assetId, versionNumber, parentId }: Pick<CommentRow, 'assetId' | 'versionNumber' | 'parentId'>,
  mentionedIds: readonly string[],
) {
  return {
    assetId,
    versionNumber,
    ...(parentId !== null && { parentId }),
    ...(mentionedIds.length > 0 && { mentionedIds }),
  };
}

function peopleOf(rows: readonly CommentRow[]) {
  return rows.flatMap(({ author, resolver }) => [author, resolver].filter((one) => one !== null));
}

function present(
  { author, resolver, ...row }: CommentRow,
  pictures: PictureAddresses,
): AssetComment {
  // A reply is resolved with its comment.
  const resolvedAt = row.parentResolvedAt ?? row.resolvedAt;
  return {
    id: row.id,
    assetId: row.assetId,
    versionNumber: row.versionNumber,
    parentId: row.parentId,
    author: author && shownPerson(author, pictures),
    guestName: row.guestName,
    body: row.body,
    anchor: row.anchor,
    isResolved: resolvedAt !== null,
    resolvedBy: resolver && shownPerson(resolver, pictures),
    resolvedAt: resolvedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    editedAt: row.editedAt?.toISOString() ?? null,
  };
}

/** @returns none for a comment that is about no time */
function markerOf(row: CommentRow, frameRate: number | null): AssetMarker[] {
  const { anchor, author, guestName, body, resolvedAt } = row;
  if (anchor?.kind !== 'time') return [];
  const { startMs, endMs = startMs } = anchor;
  return [
    {
      startMs,
      endMs,
      timecode: timecodeOf(startMs, frameRate),
      text: Array.from(body.slice(0, 2 * maxMarkerText))
        .slice(0, maxMarkerText)
        .join(''),
      author: author ? displayNameOf(author) : (guestName ?? ''),
      isResolved: resolvedAt !== null,
    },
  ];
}

function keyOf({ id, commentId }: CommentAddress, ctx: MemberContext): CommentKey {
  return { organizationId: ctx.organization.id, assetId: id, id: commentId };
}
