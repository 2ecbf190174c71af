import { newIdempotencyKeys } from '../credentials/idempotency.ts';

export type CommentDraft = ReturnType<typeof newCommentDraft>;

/** A comment that was typed and not posted. The keys are of it alone: the same text in the next draft is another comment. */
export const newCommentDraft = () => ({ body: '', idempotencyKeyOf: newIdempotencyKeys() });
