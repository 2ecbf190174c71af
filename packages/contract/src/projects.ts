import { z } from 'zod/v4';
import { memberAccess } from './access.ts';
import { Deleted } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { filter } from './lists.ts';
import { pageOf, pageQuery, searchText, sortQuery } from './pagination.ts';
import { anchors, positionError } from './positions.ts';
import { Id, text, Timestamp, verbatimText } from './primitives.ts';
import { TaskCounts } from './task-status.ts';
import { target } from './targets.ts';

export const ProjectStatus = z.enum(['ACTIVE', 'ARCHIVED']).meta({
  id: 'ProjectStatus',
  description: 'An archived project takes no new tasks.',
  examples: ['ACTIVE'],
});

export const Project = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string().nullable(),
    key: z.string().describe('Short prefix of task numbers, derived from the name.'),
    status: ProjectStatus,
    position: z.int().min(0).describe('Position among the projects of the organization, from 0.'),
    taskCounts: TaskCounts,
    createdBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Project',
    description: 'A board of tasks.',
    examples: [
      {
        id: '019aa4f5-4e6f-7071-b283-9e0f1a2b3c4d',
        name: 'Website',
        description: null,
        key: 'WEB',
        status: 'ACTIVE',
        position: 0,
        taskCounts: {
          total: 3,
          byStatus: { BACKLOG: 0, TODO: 2, IN_PROGRESS: 1, IN_REVIEW: 0, DONE: 0, CANCELLED: 0 },
        },
        createdBy: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });
export type Project = z.infer<typeof Project>;

export const ProjectPage = pageOf(Project, 'ProjectPage');

const projectName = text({ max: 120 });
const projectDescription = verbatimText({ min: 0, max: 5000 }).nullable().optional();

export const CreateProjectBody = z
  .object({ name: projectName, description: projectDescription })
  .meta({
    id: 'CreateProjectBody',
    description: 'A new project.',
    examples: [{ name: 'Website', description: 'The public site' }],
  });

export const UpdateProjectBody = z
  .object({
    name: projectName.optional(),
    description: projectDescription,
    status: ProjectStatus.optional(),
  })
  .meta({
    id: 'UpdateProjectBody',
    description: 'What to change; an absent field stays as it is, null clears it.',
    examples: [{ status: 'ARCHIVED' }],
  });

export const ProjectPositionBody = z
  .union(
    [z.object(anchors.position), z.object(anchors.beforeId), z.object(anchors.afterId)],
    positionError,
  )
  .meta({
    id: 'ProjectPositionBody',
    description: 'The new position: an index from 0, or the project before or after it.',
    examples: [{ position: 0 }, { afterId: '019aa4f5-4e6f-7071-b283-9e0f1a2b3c4e' }],
  });

const projectPath = z.object({ id: Id });

export const projects = {
  list: endpoint({
    method: 'GET',
    path: '/api/projects',
    summary: 'List projects in the organization',
    access: memberAccess('project:read'),
    query: z.object({
      ...pageQuery,
      status: ProjectStatus.optional(),
      q: searchText,
      sort: sortQuery([
        'position',
        '-createdAt',
        'createdAt',
        'name',
        '-name',
        'updatedAt',
        '-updatedAt',
      ]),
    }),
    list: { filters: { q: filter('contains', 'name') } },
    success: ok('Projects retrieved', ProjectPage),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/projects',
    summary: 'Create a project',
    description: 'It goes to the end of the list.',
    access: memberAccess('project:create'),
    effect: 'change',
    idempotent: true,
    body: CreateProjectBody,
    success: created('Project created', Project),
    errors: ['plan_limit_reached'],
    activity: 'project.create',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/projects/:id',
    summary: 'Get a project',
    access: memberAccess('project:read'),
    etag: true,
    pathParams: projectPath,
    targets: { 'params.id': target('project', 'project:read') },
    success: ok('Project retrieved', Project),
    errors: ['not_found'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/projects/:id',
    summary: 'Delete a project',
    description: 'Takes its tasks and their comments along.',
    access: memberAccess('project:delete'),
    effect: 'remove',
    ifMatch: true,
    pathParams: projectPath,
    targets: { 'params.id': target('project', 'project:delete') },
    success: ok('Project deleted', Deleted),
    errors: ['not_found'],
    activity: 'project.delete',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/projects/:id',
    summary: 'Update a project',
    access: memberAccess('project:edit'),
    effect: 'change',
    ifMatch: true,
    pathParams: projectPath,
    body: UpdateProjectBody,
    targets: { 'params.id': target('project', 'project:edit') },
    success: ok('Project updated', Project),
    errors: ['not_found', 'plan_limit_reached'],
    activity: 'project.update',
  }),
  move: endpoint({
    method: 'PATCH',
    path: '/api/projects/:id/position',
    summary: 'Reorder a project',
    description: 'A position beyond the end is the end.',
    access: memberAccess('project:edit'),
    effect: 'change',
    ifMatch: true,
    pathParams: projectPath,
    body: ProjectPositionBody,
    targets: {
      'params.id': target('project', 'project:edit'),
      'body.beforeId': target('project', 'project:read'),
      'body.afterId': target('project', 'project:read'),
    },
    success: ok('Project moved', Project),
    errors: ['not_found'],
    activity: 'project.move',
  }),
};
