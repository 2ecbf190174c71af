import { MockFailure } from '../failure.ts';
import type { Feature, State } from '../state/model.ts';
import { present } from '../state/present.ts';
import { idsOf, textOf, type Stored } from '../state/store.ts';
import { countAttachments } from './task-assets.ts';
import { maxSubtasks, TaskLabel } from '@atelier/contract';

function subtasksOf({ store }: State, { id }: Pick<Stored, 'id'>): Stored[] {
  return store.all('task').filter(({ fields }) => fields['parentId'] === id);
}

export const tasks: Feature = {
  kinds: {
    task: {
      orderedWithin: ['projectId', 'status'],
      computed: {
        parent: ({ fields }, { state }) => {
          const parent = state.store.find('task', fields['parentId']);
          if (!parent) return null;
          const { number, title } = parent.fields;
          return { id: parent.id, number, title };
        },
        subtaskCount: (task, { state }) => subtasksOf(state, task).length,
        completedSubtaskCount: (task, { state }) =>
          subtasksOf(state, task).filter(({ fields }) => fields['status'] === 'DONE').length,
        attachmentCount: ({ id }, { state }) => countAttachments(state, id),
        labels: ({ fields }, view) =>
          idsOf(fields, 'labelIds')
            .flatMap((id) => view.state.store.find('label', id) ?? [])
            .map((label) => present(label, view, TaskLabel))
            .toSorted((a, b) =>
              textOf(a, 'name').toLowerCase() < textOf(b, 'name').toLowerCase() ? -1 : 1,
            ),
      },
      check: ({ state, input }, { parentId }, task) => {
        const project = state.store.find('project', input.params['projectId']);
        if (!task && project?.fields['status'] === 'ARCHIVED') {
          throw new MockFailure('project_archived');
        }
        const parent = state.store.find('task', parentId);
        if (!parent) return;
        const projectId = task?.fields['projectId'] ?? input.params['projectId'];
        const isRefused =
          parent.id === task?.id ||
          parent.fields['projectId'] !== projectId ||
          (parent.fields['parentId'] ?? null) !== null ||
          (task && subtasksOf(state, task).length > 0);
        if (isRefused) throw new MockFailure('invalid_parent');
        if (subtasksOf(state, parent).length >= maxSubtasks) {
          throw new MockFailure('too_many_subtasks');
        }
      },
      onRemove: ({ state }, task) => {
        for (const { fields } of subtasksOf(state, task)) fields['parentId'] = null;
      },
      onCreate: ({ state }, { fields, organizationId }) => {
        const project = state.store.find('project', fields['projectId']);
        if (!project) throw new Error('a task is created in a project');
        const last = Number(project.hidden['lastNumber'] ?? 0);
        project.hidden['lastNumber'] = last + 1;
        Object.assign(fields, { number: last + 1, organizationId });
        fields['completedAt'] = fields['status'] === 'DONE' ? state.now() : null;
      },
      onUpdate: ({ state }, { fields }, changed) => {
        if (!changed.has('status')) return;
        fields['completedAt'] = fields['status'] === 'DONE' ? state.now() : null;
      },
      metadataOf: ({ fields }) => ({ projectId: fields['projectId'] }),
    },
  },
};
