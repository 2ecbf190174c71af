import { z } from 'zod/v4';
import { memberAccess } from './access.ts';
import { Deleted } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { filter } from './lists.ts';
import { pageOf, pageQuery, searchText, sortQuery } from './pagination.ts';
import { derived, Id, text, Timestamp } from './primitives.ts';
import { target } from './targets.ts';
import { LabelColor, Task } from './tasks.ts';

/** Maximum number of labels of an organization. */
export const maxLabels = 100;
/** Maximum number of labels of a task. */
export const maxLabelsOfTask = 10;

export const Label = z
  .object({
    id: Id,
    name: z.string(),
    color: LabelColor,
    taskCount: z
      .int()
      .min(0)
      .meta({ description: 'How many tasks carry it.', ...derived }),
    createdBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Label',
    description: 'A label of one organization, for its tasks.',
    examples: [
      {
        id: '019aa4f8-7192-73a4-a5b6-c13d4e5f6071',
        name: 'Bug',
        color: 'RED',
        taskCount: 3,
        createdBy: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });
export type Label = z.infer<typeof Label>;

export const LabelPage = pageOf(Label, 'LabelPage');

const name = text({ max: 40 }).describe(
  'At most 40 characters; unique in the organization, without regard to case.',
);

export const CreateLabelBody = z.object({ name, color: LabelColor }).meta({
  id: 'CreateLabelBody',
  description: 'A new label.',
  examples: [{ name: 'Bug', color: 'RED' }],
});

export const UpdateLabelBody = z
  .object({ name: name.optional(), color: LabelColor.optional() })
  .meta({
    id: 'UpdateLabelBody',
    description: 'What to change; an absent field stays as it is.',
    examples: [{ color: 'ORANGE' }],
  });

export const TaskLabelsBody = z
  .object({
    labelIds: z
      .array(Id)
      .max(maxLabelsOfTask)
      .overwrite((ids) => [...new Set(ids)])
      .describe('Ids of labels, at most 10; repeated ones count once.'),
  })
  .meta({
    id: 'TaskLabelsBody',
    description: 'All labels that the task carries from now on.',
    examples: [{ labelIds: ['019aa4f8-7192-73a4-a5b6-c13d4e5f6071'] }],
  });

const labelPath = z.object({ id: Id });
const taskPath = z.object({ id: Id });

export const labels = {
  list: endpoint({
    method: 'GET',
    path: '/api/labels',
    summary: 'List labels in the organization',
    description: 'An organization has at most 100.',
    isAddition: true,
    access: memberAccess('label:read'),
    query: z.object({
      ...pageQuery,
      q: searchText,
      sort: sortQuery(['name', '-name', 'createdAt', '-createdAt', 'taskCount', '-taskCount']),
    }),
    list: {
      filters: { q: filter('contains', 'name') },
      sorts: { taskCount: ['taskCount', 'name'], '-taskCount': ['-taskCount', 'name'] },
    },
    success: ok('Labels retrieved', LabelPage),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/labels',
    summary: 'Create a label',
    isAddition: true,
    access: memberAccess('label:create'),
    effect: 'change',
    idempotent: true,
    body: CreateLabelBody,
    success: created('Label created', Label),
    errors: ['label_exists', 'too_many_labels'],
    activity: 'label.create',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/labels/:id',
    summary: 'Get a label',
    isAddition: true,
    access: memberAccess('label:read'),
    etag: true,
    pathParams: labelPath,
    targets: { 'params.id': target('label', 'label:read') },
    success: ok('Label retrieved', Label),
    errors: ['not_found'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/labels/:id',
    summary: 'Rename or recolour a label',
    isAddition: true,
    access: memberAccess('label:edit'),
    effect: 'change',
    ifMatch: true,
    pathParams: labelPath,
    body: UpdateLabelBody,
    targets: { 'params.id': target('label', 'label:edit') },
    success: ok('Label updated', Label),
    errors: ['not_found', 'label_exists'],
    activity: 'label.update',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/labels/:id',
    summary: 'Delete a label',
    description: 'Removes it from its tasks.',
    isAddition: true,
    access: memberAccess('label:delete'),
    effect: 'remove',
    ifMatch: true,
    pathParams: labelPath,
    targets: { 'params.id': target('label', 'label:delete') },
    success: ok('Label deleted', Deleted),
    errors: ['not_found'],
    activity: 'label.delete',
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/tasks/:id/labels',
    summary: 'Replace the labels of a task',
    description: '`If-Match` takes the `ETag` of the task.',
    isAddition: true,
    access: memberAccess('task:edit'),
    effect: 'change',
    ifMatch: true,
    pathParams: taskPath,
    body: TaskLabelsBody,
    targets: {
      'params.id': target('task', 'task:edit'),
      'body.labelIds': target('label', 'label:read'),
    },
    success: ok('Labels updated', Task),
    errors: ['not_found'],
    activity: 'task.update',
  }),
};
