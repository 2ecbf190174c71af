import { z } from 'zod/v4';
import { errorCatalogue, type ErrorCode } from './errors.ts';

export const ValidationIssue = z
  .object({
    in: z.enum(['body', 'query', 'path', 'headers']),
    path: z.array(z.union([z.string(), z.number()])),
    code: z.string(),
    message: z.string(),
  })
  .meta({
    id: 'ValidationIssue',
    description: 'An invalid value: where it is, what is wrong and what is expected.',
    examples: [
      { in: 'body', path: ['email'], code: 'invalid_format', message: 'Invalid email address' },
    ],
  });
export type ValidationIssue = z.infer<typeof ValidationIssue>;

export const ErrorBody = z
  .object({
    message: z.string(),
    code: z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]),
    requestId: z.string(),
    errors: z.array(ValidationIssue).optional(),
  })
  .meta({
    id: 'ErrorBody',
    description:
      'Every error. `code` is stable, `message` is for people; validation errors have `errors`.',
    examples: [{ message: 'Not found', code: 'not_found', requestId: 'req_01h9x3' }],
  });
export type ErrorBody = z.infer<typeof ErrorBody>;
