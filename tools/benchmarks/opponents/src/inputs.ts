import { z } from 'zod';

/** The input of a list, from a query string. */
export const PageQuery = z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) });
/** The input of a list, from JSON. */
export const PageInput = z.object({ limit: z.number().int().min(1).max(100).default(20) });

const commentText = z.string().min(1).max(10_000);
export const CommentBody = z.object({ body: commentText });
export const CommentInput = z.object({ taskId: z.uuid(), body: commentText });
