import { z } from 'zod/v4';

/** The columns of a board, in order. */
export const taskStatuses = [
  'BACKLOG',
  'TODO',
  'IN_PROGRESS',
  'IN_REVIEW',
  'DONE',
  'CANCELLED',
] as const;

export const TaskStatus = z.enum(taskStatuses).meta({
  id: 'TaskStatus',
  description: 'The column of a task.',
  examples: ['TODO'],
});

export const TaskCounts = z
  .object({ total: z.int().min(0), byStatus: z.record(TaskStatus, z.int().min(0)) })
  .meta({
    id: 'TaskCounts',
    description: 'Number of tasks, in total and by column.',
    examples: [
      {
        total: 3,
        byStatus: { BACKLOG: 0, TODO: 2, IN_PROGRESS: 1, IN_REVIEW: 0, DONE: 0, CANCELLED: 0 },
      },
    ],
  });
