import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { assetCommentUseCases } from './usecases.ts';

export function assetCommentsFeature(deps: Deps) {
  const comments = assetCommentUseCases(deps);

  return feature(
    'assetComments',
    {
      list: ({ params, query, ctx }) => comments.list(params.id, query, ctx),
      markers: ({ params, query, ctx }) => comments.markers(params.id, query, ctx),
      create: ({ params, body, ctx }) => comments.create(params.id, body, ctx),
      update: ({ params, body, ctx }) => comments.update(params, body.body, ctx),
      resolve: ({ params, body, ctx }) => comments.resolve(params, body.isResolved, ctx),
      remove: ({ params, ctx }) => comments.remove(params, ctx),
    },
    { atomic: ['create', 'update', 'resolve', 'remove'] },
  );
}
