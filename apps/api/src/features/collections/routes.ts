import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { collectionBinUseCases } from './bin/usecases.ts';
import { collectionUseCases } from './usecases.ts';

export function collectionsFeature(deps: Deps) {
  const collections = collectionUseCases(deps);
  const bin = collectionBinUseCases(deps);

  return feature(
    'collections',
    {
      create: ({ body, ctx }) => collections.create(body.title, ctx),
      list: ({ query, ctx }) => collections.list(query, ctx),
      get: ({ params, ctx }) => collections.get(params.id, ctx),
      rename: ({ params, body, ctx }) => collections.rename(params.id, body.title, ctx),
      favorite: ({ params, body, ctx }) => collections.favorite(params.id, body.isFavorite, ctx),
      bin: ({ query, ctx }) => bin.list(query, ctx),
      restore: ({ params, ctx }) => bin.restore(params.id, ctx),
      remove: ({ params, ctx }) => collections.remove(params.id, ctx),
    },
    { early: ['list', 'get'] },
  );
}
