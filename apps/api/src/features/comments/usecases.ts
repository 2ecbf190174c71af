import { Comment, mayMention } from '@atelier/contract';
import type { Executor, Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { aboutResource, recordActivity } from '../../domain/activity.ts';
import { authorityOf } from '../../domain/authority/authority.ts';
import { mentionedBy } from '../../domain/mentions/mentioned.ts';
import type { ReaderContext, MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { assertUnchanged } from '../../kernel/etag.ts';
import { newId } from '../../kernel/ids.ts';
import { orderIn, pageOf, rowWindowOf, type PageRequest } from '../../kernel/pagination.ts';
import { assertMayTouch, assertMayUse } from '../../kernel/permissions.ts';
import { presentPerson } from '../../domain/person-view/present.ts';
import { mutate, mutateAtOnce } from '../../domain/transaction.ts';
import {
  changeBody,
  listComments,
  deleteComment,
  lockComment,
  postComment,
  type CommentRow,
  type LockedComment,
} from './queries.ts';

interface CommentListRequest extends PageRequest {
  readonly sort: 'createdAt' | '-createdAt';
}

/** The path parameters of a comment. */
interface CommentAddress {
  readonly taskId: string;
  readonly commentId: string;
}

const aboutComment = aboutResource('comment', ({ taskTitle }: LockedComment) => taskTitle);

/** Manages comments on tasks of the selected organization. */
export function commentUseCases({ db, clock, cursors, store }: Deps) {
  async function present({ id, taskId, author, body, ...row }: CommentRow): Promise<Comment> {
    return {
      id,
      taskId,
      author: await presentPerson(store, author),
      body,
      createdAt: row.createdAt.toISOString(),
      editedAt: row.editedAt?.toISOString() ?? null,
    };
  }

  /**
   * Locks a comment for the rest of the transaction and returns its current state.
   *
   * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412)
   */
  async function lockForChange(
    tx: Transaction,
    address: CommentAddress,
    ctx: MemberContext,
  ): Promise<LockedComment> {
    const current = await lockComment(tx, keyOf(address, ctx));
    if (!current) throw new Failure('not_found');
    assertMayUse(ctx, 'params.taskId');
    assertMayTouch(ctx, 'params.commentId', { createdBy: current.author.id });
    assertUnchanged(ctx, Comment, await present(current));
    return current;
  }

  return {
    /** @throws Failure `not_found` (404) for the task */
    async list(taskId: string, request: CommentListRequest, ctx: ReaderContext) {
      const list = `comments:${taskId}:${request.sort}`;
      const found = await listComments(
        db,
        { organizationId: ctx.organization.id, taskId },
        {
          direction: orderIn(request.sort).direction,
          window: rowWindowOf(request, { list, cursors }),
        },
      );
      if (!found) throw new Failure('not_found');
      const rows = await Promise.all(found.rows.map(present));
      return pageOf({ rows, total: found.total }, request, {
        list,
        cursors,
        present: (comment) => comment,
        positionOf: ({ createdAt, id }) => ({ sortValue: createdAt, id }),
      });
    },

    /**
     * Posts a comment and mails the mentioned members.
     *
     * @throws Failure `not_found` (404) for the task
     */
    async create(taskId: string, body: string, ctx: MemberContext): Promise<Comment> {
      const now = clock.now();
      const row = { id: newId(), taskId, body, createdAt: now };
      const posting = {
        ...row,
        ...authorityOf(ctx, now),
        activityId: newId(),
        requestId: ctx.requestId,
      };
      const response = await present({ ...row, author: ctx.user, editedAt: null });
      // The statement finds no task of another organization.
      assertMayUse(ctx, 'params.taskId');
      if (!mayMention(body)) {
        const effect = (db: Executor) => postComment(db, { ...posting, mentionedIds: [] });
        return mutateAtOnce({ db, clock, ctx, effect }, response);
      }
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const mentionedIds = await mentionedBy(tx, { before: '', after: body }, ctx);
        if (!(await postComment(tx, { ...posting, mentionedIds }))) throw new Failure('not_found');
        return response;
      });
    },

    /**
     * Edits a comment and mails newly mentioned members. No-op when unchanged.
     *
     * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412)
     */
    async update(address: CommentAddress, body: string, ctx: MemberContext): Promise<Comment> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, address, ctx);
        if (body === current.body) return present(current);
        const edited = { ...current, body, editedAt: clock.now() };
        await changeBody(tx, keyOf(address, ctx), edited);
        const mentionedIds = await mentionedBy(tx, { before: current.body, after: body }, ctx);
        await recordActivity(tx, {
          ...aboutComment(current, ctx, edited.editedAt),
          action: 'comment.update',
          changes: [{ field: 'body', from: current.body, to: body }],
          metadata: { taskId: current.taskId, ...(mentionedIds.length > 0 && { mentionedIds }) },
        });
        return present(edited);
      });
    },

    /** @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412) */
    async remove(address: CommentAddress, ctx: MemberContext): Promise<{ id: string }> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, address, ctx);
        await deleteComment(tx, keyOf(address, ctx));
        await recordActivity(tx, {
          ...aboutComment(current, ctx, clock.now()),
          action: 'comment.delete',
          metadata: { taskId: current.taskId },
        });
        return { id: current.id };
      });
    },
  };
}

function keyOf({ taskId, commentId }: CommentAddress, ctx: MemberContext) {
  return { organizationId: ctx.organization.id, taskId, id: commentId };
}
