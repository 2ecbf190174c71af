import { z } from 'zod/v4';
import { memberAccess } from './access.ts';
import { endpoint } from './endpoint.ts';
import { ok } from './envelope.ts';
import { Timestamp } from './primitives.ts';
import { TaskCounts } from './task-status.ts';
import { Activity } from './timeline.ts';

const count = z.int().min(0);

export const DashboardSummary = z
  .object({
    members: count.describe('Active members.'),
    projects: z.object({ active: count, archived: count }),
    tasks: TaskCounts.extend({
      overdue: count.describe('Past their due date, neither DONE nor CANCELLED.'),
      assignedToMe: count.describe('Assigned to the caller, neither DONE nor CANCELLED.'),
      completedLast7Days: count,
    }),
    assets: z.object({
      count,
      storageBytes: count.describe('Bytes of all stored versions, including the bin.'),
      storageLimitBytes: count.nullable().describe('Limit of the plan; null without a limit.'),
    }),
    collections: count,
    recentActivity: z.array(Activity).max(10).describe('The latest ten, newest first.'),
    generatedAt: Timestamp,
  })
  .meta({
    id: 'DashboardSummary',
    description: 'Key figures of an organization.',
    examples: [
      {
        members: 3,
        projects: { active: 2, archived: 1 },
        tasks: {
          total: 3,
          byStatus: { BACKLOG: 0, TODO: 2, IN_PROGRESS: 1, IN_REVIEW: 0, DONE: 0, CANCELLED: 0 },
          overdue: 0,
          assignedToMe: 1,
          completedLast7Days: 0,
        },
        assets: { count: 12, storageBytes: 578_556, storageLimitBytes: 10_737_418_240 },
        collections: 1,
        recentActivity: [],
        generatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });
export type DashboardSummary = z.infer<typeof DashboardSummary>;

export const dashboard = {
  summary: endpoint({
    method: 'GET',
    path: '/api/dashboard/summary',
    summary: 'Get the dashboard of the organization',
    access: memberAccess('dashboard:read'),
    success: ok('Dashboard retrieved', DashboardSummary),
  }),
};
