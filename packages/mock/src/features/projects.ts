import { taskStatuses } from '@atelier/contract';
import type { Call, Feature } from '../state/model.ts';
import { textOf, type Stored } from '../state/store.ts';
import { expectWithinPlan } from './plans.ts';
import { allIn } from './teams.ts';

/** Archived projects don't count. */
function expectSpace({ state, organization }: Call): void {
  const projects = allIn(state, 'project', organization?.id);
  const active = projects.filter(({ fields }) => fields['status'] === 'ACTIVE');
  expectWithinPlan(state, organization, { projects: active.length + 1 });
}

/** Three letters of the name, and a number if another project has them. */
function keyFor({ state, organization }: Call, name: string): string {
  const letters =
    name
      .toUpperCase()
      .replaceAll(/[^A-Z]/g, '')
      .slice(0, 3) || 'PRO';
  const keys = allIn(state, 'project', organization?.id).map(({ fields }) => fields['key']);
  if (!keys.includes(letters)) return letters;
  let count = 2;
  while (keys.includes(`${letters}${count}`)) count += 1;
  return `${letters}${count}`;
}

/** Counts records by a field with the values of an enumeration. */
export function countsByStatus(tasks: readonly Stored[]) {
  const count = (status: string) =>
    tasks.filter(({ fields }) => fields['status'] === status).length;
  return {
    total: tasks.length,
    byStatus: Object.fromEntries(taskStatuses.map((status) => [status, count(status)])),
  };
}

export const projects: Feature = {
  kinds: {
    project: {
      orderedWithin: [],
      computed: {
        taskCounts: ({ id }, { state }) =>
          countsByStatus(
            state.store.all('task').filter(({ fields }) => fields['projectId'] === id),
          ),
      },
      check: (call, { status }, project) => {
        const isNew = project === null;
        if (isNew || (status === 'ACTIVE' && project.fields['status'] !== 'ACTIVE')) {
          expectSpace(call);
        }
      },
      onCreate: (call, { fields }) => {
        fields['key'] = keyFor(call, textOf(fields, 'name'));
      },
    },
  },
};
