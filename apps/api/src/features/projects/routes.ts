import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { projectUseCases } from './usecases.ts';

export function projectsFeature(deps: Deps) {
  const projects = projectUseCases(deps);

  return feature(
    'projects',
    {
      list: ({ query, ctx }) => projects.list(query, ctx),
      create: ({ body, ctx }) => projects.create(body, ctx),
      get: ({ params, ctx }) => projects.get(params.id, ctx),
      update: ({ params, body, ctx }) => projects.update(params.id, body, ctx),
      move: ({ params, body, ctx }) => projects.move(params.id, body, ctx),
      remove: ({ params, ctx }) => projects.remove(params.id, ctx),
    },
    { early: ['list', 'get'] },
  );
}
