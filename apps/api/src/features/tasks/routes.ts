import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { assignmentUseCases } from './assignment/usecases.ts';
import { taskListUseCases } from './list/usecases.ts';
import { orderingUseCases } from './ordering/usecases.ts';
import { taskUseCases } from './usecases.ts';

export function tasksFeature(deps: Deps) {
  const tasks = taskUseCases(deps);
  const lists = taskListUseCases(deps);
  const ordering = orderingUseCases(deps);
  const assignment = assignmentUseCases(deps);

  return feature(
    'tasks',
    {
      list: ({ query, ctx }) => lists.list(query, ctx),
      listInProject: ({ params, query, ctx }) => lists.listInProject(params.projectId, query, ctx),
      create: ({ params, body, ctx }) => tasks.create(params.projectId, body, ctx),
      get: ({ params, ctx }) => tasks.get(params.id, ctx),
      remove: ({ params, ctx }) => tasks.remove(params.id, ctx),
      update: ({ params, body, ctx }) => tasks.update(params.id, body, ctx),
      move: ({ params, body, ctx }) => ordering.move(params.id, body, ctx),
      assign: ({ params, body, ctx }) => assignment.assign(params.id, body.assigneeIds, ctx),
    },
    {
      early: ['list', 'listInProject', 'get'],
      atomic: ['create', 'update', 'move', 'assign', 'remove'],
    },
  );
}
