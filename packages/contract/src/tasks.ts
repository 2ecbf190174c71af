import { z } from 'zod/v4';
import { memberAccess } from './access.ts';
import { Deleted } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { filter } from './lists.ts';
import { Person } from './members.ts';
import { cursorListOf, pageOf, searchText, sortQuery } from './pagination.ts';
import { anchors, positionError } from './positions.ts';
import { derived, Id, text, Timestamp, timestampInput, verbatimText } from './primitives.ts';
import { TaskStatus } from './task-status.ts';
import { filterBy, target } from './targets.ts';

/** Colours of labels. Clients choose shades that suit their theme. */
export const labelColors = [
  'GRAY',
  'BROWN',
  'RED',
  'ORANGE',
  'YELLOW',
  'GREEN',
  'TEAL',
  'BLUE',
  'PURPLE',
  'PINK',
] as const;

export const LabelColor = z.enum(labelColors).meta({
  id: 'LabelColor',
  description: 'Colour of a label. Clients choose shades that suit their theme.',
  examples: ['RED'],
});

export const TaskLabel = z.object({ id: Id, name: z.string(), color: LabelColor }).meta({
  id: 'TaskLabel',
  description: 'A label that a task carries.',
  examples: [{ id: '019aa4f8-7192-73a4-a5b6-c13d4e5f6071', name: 'Bug', color: 'RED' }],
});

export const TaskParent = z
  .object({
    id: Id,
    number: z
      .int()
      .min(1)
      .meta({ description: 'Number within the project.', ...derived }),
    title: z.string().meta(derived),
  })
  .meta({
    id: 'TaskParent',
    description: 'The task that a subtask belongs to.',
    examples: [{ id: '019aa4f6-5f70-7182-8394-af1b2c3d4e60', number: 3, title: 'Website' }],
  });

/** Maximum number of subtasks of a task. */
export const maxSubtasks = 100;

/** Maximum number of assignees of a task. */
export const maxAssignees = 20;

export const TaskPriority = z.enum(['NONE', 'LOW', 'MEDIUM', 'HIGH', 'URGENT']).meta({
  id: 'TaskPriority',
  description: 'Priority of a task, from the lowest to the highest.',
  examples: ['HIGH'],
});

export const Task = z
  .object({
    id: Id,
    number: z.int().min(1).describe('Number within the project; never reused.'),
    projectId: Id,
    organizationId: Id,
    title: z.string(),
    description: z.string().nullable(),
    status: TaskStatus,
    priority: TaskPriority,
    dueDate: Timestamp.nullable(),
    assignees: z.array(Person),
    labels: z.array(TaskLabel).describe('By name.'),
    position: z.int().min(0).describe('Position in the column, from 0.'),
    commentCount: z.int().min(0),
    attachmentCount: z
      .int()
      .min(0)
      .meta({ description: 'Attached assets, without those in the bin.', ...derived }),
    parent: TaskParent.nullable().describe('The task that it is a subtask of.'),
    subtaskCount: z.int().min(0).meta(derived),
    completedSubtaskCount: z
      .int()
      .min(0)
      .meta({ description: 'Subtasks in DONE.', ...derived }),
    completedAt: Timestamp.nullable().describe('When it was moved to DONE.'),
    createdBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Task',
    description: 'A task of a project.',
    examples: [
      {
        id: '019aa4f6-5f70-7182-8394-af1b2c3d4e5f',
        number: 7,
        projectId: '019aa4f5-4e6f-7071-b283-9e0f1a2b3c4d',
        organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
        title: 'Write the imprint',
        description: null,
        status: 'TODO',
        priority: 'HIGH',
        dueDate: '2026-12-01T00:00:00.000Z',
        assignees: [
          {
            id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
            displayName: 'Ada Lovelace',
            email: 'ada@example.com',
            avatarUrl: null,
          },
        ],
        labels: [{ id: '019aa4f8-7192-73a4-a5b6-c13d4e5f6071', name: 'Bug', color: 'RED' }],
        position: 0,
        commentCount: 2,
        attachmentCount: 1,
        parent: null,
        subtaskCount: 4,
        completedSubtaskCount: 1,
        completedAt: null,
        createdBy: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });
export type Task = z.infer<typeof Task>;

export const TaskPage = pageOf(Task, 'TaskPage');

const title = text({ max: 255 });
const description = verbatimText({ min: 0, max: 20_000 }).nullable().optional();
const dueDate = timestampInput()
  .nullable()
  .optional()
  .describe('ISO 8601 time, or a date, which means its start in UTC.');
const assigneeIds = z
  .array(Id)
  .max(maxAssignees)
  .overwrite((ids) => [...new Set(ids)])
  .describe('Ids of users who are active members, at most 20; duplicates count once.');

export const CreateTaskBody = z
  .object({
    title,
    description,
    status: TaskStatus.default('TODO'),
    priority: TaskPriority.default('NONE'),
    dueDate,
    assigneeIds: assigneeIds.optional(),
    parentId: Id.optional().describe('Makes it a subtask of this task, which is in the project.'),
  })
  .meta({
    id: 'CreateTaskBody',
    description: 'A new task.',
    examples: [{ title: 'Write the imprint', priority: 'HIGH', dueDate: '2026-12-01' }],
  });

export const UpdateTaskBody = z
  .object({
    title: title.optional(),
    description,
    status: TaskStatus.optional().describe('The new column; the task moves to its end.'),
    priority: TaskPriority.optional(),
    dueDate,
    parentId: Id.nullable()
      .optional()
      .describe('Makes it a subtask of this task of its project; null ends that.'),
  })
  .meta({
    id: 'UpdateTaskBody',
    description: 'The fields to change; absent fields keep their value, null clears a field.',
    examples: [{ status: 'IN_PROGRESS', dueDate: null }],
  });

const column = { status: TaskStatus.optional().describe('Column; default: the current one.') };

export const TaskPositionBody = z
  .union(
    [
      z.object({ ...column, ...anchors.position }),
      z.object({ ...column, ...anchors.beforeId }),
      z.object({ ...column, ...anchors.afterId }),
    ],
    positionError,
  )
  .meta({
    id: 'TaskPositionBody',
    description: 'The new position: an index from 0, or the task before or after it.',
    examples: [
      { status: 'DONE', position: 0 },
      { beforeId: '019aa4f6-5f70-7182-8394-af1b2c3d4e60' },
    ],
  });

export const AssigneesBody = z.object({ assigneeIds }).meta({
  id: 'AssigneesBody',
  description: 'All assignees.',
  examples: [{ assigneeIds: ['019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42'] }],
});

const filters = {
  status: TaskStatus.optional(),
  assigneeId: z
    .union([z.literal('me'), Id], { error: 'Invalid assignee: expected `me` or the id of a user' })
    .optional()
    .describe('Id of a user, or `me`.'),
  labelId: Id.optional().describe('Id of a label that the tasks carry.'),
  priority: TaskPriority.optional(),
  parentId: Id.optional().describe('Id of the task that they are subtasks of.'),
  dueBefore: timestampInput().optional().describe('Due before this time.'),
  q: searchText,
};
const list = {
  filters: {
    assigneeId: filter('equal', 'assignees.id'),
    labelId: filter('equal', 'labels.id'),
    parentId: filter('equal', 'parent.id'),
    dueBefore: filter('before', 'dueDate'),
    q: filter('contains', 'title'),
  },
  sorts: { position: ['status', 'position'] },
} as const;
const orders = [
  '-createdAt',
  'createdAt',
  'updatedAt',
  '-updatedAt',
  'dueDate',
  '-dueDate',
  'priority',
  '-priority',
  'title',
  '-title',
] as const;

const taskPath = z.object({ id: Id });
const projectPath = z.object({ projectId: Id });

export const tasks = {
  list: endpoint({
    method: 'GET',
    path: '/api/tasks',
    summary: 'List tasks in the organization',
    description: '`position` sorts by project, column and position.',
    access: memberAccess('task:read'),
    query: cursorListOf({
      ...filters,
      projectId: Id.optional(),
      sort: sortQuery([...orders, 'position']),
    }),
    list: {
      ...list,
      sorts: { position: [{ field: 'projectId', asIn: 'projects.list' }, 'status', 'position'] },
    },
    targets: {
      'query.assigneeId': filterBy('user'),
      'query.labelId': filterBy('label'),
      'query.parentId': filterBy('task'),
      'query.projectId': filterBy('project'),
    },
    success: ok('Tasks retrieved', TaskPage),
  }),
  listInProject: endpoint({
    method: 'GET',
    path: '/api/projects/:projectId/tasks',
    summary: 'List tasks of a project',
    description: '`position` sorts by column and position.',
    access: memberAccess('task:read'),
    pathParams: projectPath,
    query: cursorListOf({ ...filters, sort: sortQuery(['position', ...orders]) }),
    list,
    targets: {
      'params.projectId': target('project', 'task:read'),
      'query.assigneeId': filterBy('user'),
      'query.labelId': filterBy('label'),
      'query.parentId': filterBy('task'),
    },
    success: ok('Tasks retrieved', TaskPage),
    errors: ['not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/projects/:projectId/tasks',
    summary: 'Create a task in a project',
    description:
      'Adds it to the end of its column. With `parentId` it is a subtask; a subtask has none itself.',
    access: memberAccess('task:create'),
    effect: 'change',
    idempotent: true,
    pathParams: projectPath,
    body: CreateTaskBody,
    targets: {
      'params.projectId': target('project', 'task:create'),
      'body.assigneeIds': target('member', 'member:read', 'assignee_not_member'),
      'body.parentId': target('task', 'task:create'),
    },
    success: created('Task created', Task),
    errors: [
      'not_found',
      'assignee_not_member',
      'project_archived',
      'invalid_parent',
      'too_many_subtasks',
    ],
    activity: 'task.create',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/tasks/:id',
    summary: 'Get a task',
    access: memberAccess('task:read'),
    etag: true,
    pathParams: taskPath,
    targets: { 'params.id': target('task', 'task:read') },
    success: ok('Task retrieved', Task),
    errors: ['not_found'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/tasks/:id',
    summary: 'Delete a task',
    description: 'Its subtasks stay, as tasks of their own.',
    access: memberAccess('task:delete'),
    effect: 'remove',
    ifMatch: true,
    pathParams: taskPath,
    targets: { 'params.id': target('task', 'task:delete') },
    success: ok('Task deleted', Deleted),
    errors: ['not_found'],
    activity: 'task.delete',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/tasks/:id',
    summary: 'Update a task',
    access: memberAccess('task:edit'),
    effect: 'change',
    ifMatch: true,
    pathParams: taskPath,
    body: UpdateTaskBody,
    targets: {
      'params.id': target('task', 'task:edit'),
      'body.parentId': target('task', 'task:edit'),
    },
    success: ok('Task updated', Task),
    errors: ['not_found', 'invalid_parent', 'too_many_subtasks'],
    activity: 'task.update',
  }),
  move: endpoint({
    method: 'PATCH',
    path: '/api/tasks/:id/position',
    summary: 'Move a task to another column or position',
    description:
      'A position beyond the end means the end. A neighbour in another column is a conflict.',
    access: memberAccess('task:edit'),
    effect: 'change',
    ifMatch: true,
    pathParams: taskPath,
    body: TaskPositionBody,
    targets: {
      'params.id': target('task', 'task:edit'),
      'body.beforeId': target('task', 'task:read'),
      'body.afterId': target('task', 'task:read'),
    },
    success: ok('Task moved', Task),
    errors: ['not_found', 'conflict'],
    activity: 'task.move',
  }),
  assign: endpoint({
    method: 'PUT',
    path: '/api/tasks/:id/assignees',
    summary: 'Replace the assignees of a task',
    access: memberAccess('task:edit'),
    effect: 'change',
    ifMatch: true,
    pathParams: taskPath,
    body: AssigneesBody,
    targets: {
      'params.id': target('task', 'task:edit'),
      'body.assigneeIds': target('member', 'member:read', 'assignee_not_member'),
    },
    success: ok('Assignees updated', Task),
    errors: ['not_found', 'assignee_not_member'],
    activity: 'task.assign',
  }),
};
