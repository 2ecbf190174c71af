import { newIdempotencyKeys } from '../credentials/idempotency.ts';

export type CommentDraft = ReturnType<typeof newCommentDraft>;

/** A comment that was typed and not posted. The keys are of it alone: the same text in the next draft is another comment. */
export const newCommentDraft = (body = '') => ({ body, idempotencyKeyOf: newIdempotencyKeys() });

/** Returns the draft after a comment was refused: what was typed meanwhile follows it. */
export function restoredDraft(refused: CommentDraft, meanwhile?: CommentDraft): CommentDraft {
  const typed = meanwhile?.body ?? '';
  return typed.trim() === '' ? refused : newCommentDraft(`${refused.body}\n\n${typed}`);
}
