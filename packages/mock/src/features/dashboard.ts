import { maySee } from '../state/activities.ts';
import { organizationOf } from '../state/call.ts';
import type { Call, Feature } from '../state/model.ts';
import { present } from '../state/present.ts';
import { idsOf, textOf, type Stored } from '../state/store.ts';
import { limitOf } from './plans.ts';
import { countsByStatus } from './projects.ts';
import { storedBytes } from './storage-usage.ts';
import { allIn, isService } from './teams.ts';

const weekMs = 7 * 24 * 60 * 60 * 1000;

function summary(call: Call): unknown {
  const { state, caller } = call;
  const organization = organizationOf(call);
  const all = (kind: string) => allIn(state, kind, organization.id);
  const now = state.now();
  const weekAgo = new Date(Date.parse(now) - weekMs).toISOString();
  const tasks = all('task');
  const open = tasks.filter(
    ({ fields }) => !['DONE', 'CANCELLED'].includes(textOf(fields, 'status')),
  );
  const limit = limitOf(state, organization, 'storageBytes');
  return {
    members: withStatus(
      all('member').filter((member) => !isService(member)),
      'ACTIVE',
    ),
    projects: {
      active: withStatus(all('project'), 'ACTIVE'),
      archived: withStatus(all('project'), 'ARCHIVED'),
    },
    tasks: {
      ...countsByStatus(tasks),
      overdue: open.filter(({ fields }) => isBefore(fields['dueDate'], now)).length,
      assignedToMe: open.filter(({ fields }) =>
        idsOf(fields, 'assigneeIds').includes(caller?.id ?? ''),
      ).length,
      completedLast7Days: tasks.filter(({ fields }) => isBefore(weekAgo, fields['completedAt']))
        .length,
    },
    assets: {
      count: all('asset').length,
      storageBytes: storedBytes(state, organization.id),
      storageLimitBytes: limit === Infinity ? null : limit,
    },
    collections: all('collection').length,
    recentActivity: all('Activity')
      .filter((activity) => maySee(activity, call))
      .slice(-10)
      .toReversed()
      .map((activity) => present(activity, { state, callerId: caller?.id ?? null })),
    generatedAt: now,
  };
}

function withStatus(records: readonly Stored[], status: string): number {
  return records.filter(({ fields }) => fields['status'] === status).length;
}

function isBefore(one: unknown, other: unknown): boolean {
  return typeof one === 'string' && typeof other === 'string' && one < other;
}

export const dashboard: Feature = { operations: { 'dashboard.summary': { respond: summary } } };
