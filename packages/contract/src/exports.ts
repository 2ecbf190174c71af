import { z } from 'zod/v4';
import { Id, presigned, Timestamp } from './primitives.ts';

/** How many days an export can be downloaded. */
export const exportDays = 7;

/** How many exports an account may request in {@link exportDays} days. */
export const maxExports = 3;

/** How many hours the service tries to prepare an export. */
export const exportAttemptHours = 24;

export const exportStatuses = ['PENDING', 'READY', 'FAILED', 'EXPIRED'] as const;

export const Export = z
  .object({
    id: Id,
    status: z
      .enum(exportStatuses)
      .describe(
        'PENDING while it is being prepared; FAILED if that took longer than a day; EXPIRED once its file is deleted.',
      ),
    createdAt: Timestamp,
    expiresAt: Timestamp.nullable().describe('When its file is deleted; null without a file.'),
    sizeBytes: z.int().min(0).nullable().describe('Size of its file; null without one.'),
    url: z
      .string()
      .nullable()
      .meta(
        presigned(
          'Presigned URL of the file, valid for five minutes; null without a file, and in a session that is not confirmed.',
        ),
      ),
  })
  .meta({
    id: 'Export',
    description:
      'What the service keeps of a person, as one ZIP of JSON Lines. Its `files.json` names the files of the personal organization, which are downloaded one by one.',
    examples: [
      {
        id: '019aa4f6-2b1c-7d4e-9a3f-1c2d3e4f5a6b',
        status: 'READY',
        createdAt: '2026-11-21T09:30:00.000Z',
        expiresAt: '2026-11-28T09:30:04.000Z',
        sizeBytes: 48_213,
        url: null,
      },
    ],
  });
export type Export = z.infer<typeof Export>;

export const LatestExport = z
  .object({ export: Export.nullable().describe('Null if there is none.') })
  .meta({
    id: 'LatestExport',
    description: 'The newest export of the account.',
    examples: [{ export: null }],
  });
