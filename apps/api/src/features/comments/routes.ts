import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { commentUseCases } from './usecases.ts';

export function commentsFeature(deps: Deps) {
  const comments = commentUseCases(deps);

  return feature(
    'comments',
    {
      list: ({ params, query, ctx }) => comments.list(params.taskId, query, ctx),
      create: ({ params, body, ctx }) => comments.create(params.taskId, body.body, ctx),
      update: ({ params, body, ctx }) => comments.update(params, body.body, ctx),
      remove: ({ params, ctx }) => comments.remove(params, ctx),
    },
    { early: ['list'], atomic: ['create', 'update', 'remove'] },
  );
}
