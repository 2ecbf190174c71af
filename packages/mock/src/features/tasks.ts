import { MockFailure } from '../failure.ts';
import type { Feature } from '../state/model.ts';
import { present } from '../state/present.ts';
import { idsOf, textOf } from '../state/store.ts';
import { countAttachments } from './task-assets.ts';
import { TaskLabel } from '@atelier/contract';

export const tasks: Feature = {
  kinds: {
    task: {
      orderedWithin: ['projectId', 'status'],
      computed: {
        attachmentCount: ({ id }, { state }) => countAttachments(state, id),
        labels: ({ fields }, view) =>
          idsOf(fields, 'labelIds')
            .flatMap((id) => view.state.store.find('label', id) ?? [])
            .map((label) => present(label, view, TaskLabel))
            .toSorted((a, b) =>
              textOf(a, 'name').toLowerCase() < textOf(b, 'name').toLowerCase() ? -1 : 1,
            ),
      },
      check: ({ state, input }, _values, task) => {
        const project = state.store.find('project', input.params['projectId']);
        if (!task && project?.fields['status'] === 'ARCHIVED') {
          throw new MockFailure('project_archived');
        }
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
