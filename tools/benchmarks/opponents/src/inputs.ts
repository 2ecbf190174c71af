import { z } from 'zod';

/** Of a list's page. In a query of an address everything is text. */
export const PageQuery = z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) });
/** The same where the request is JSON. */
export const PageInput = z.object({ limit: z.number().int().min(1).max(100).default(20) });

const commentText = z.string().min(1).max(10_000);
export const CommentBody = z.object({ body: commentText });
export const CommentInput = z.object({ taskId: z.uuid(), body: commentText });
