import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { rebuildUseCases } from './rebuild.ts';
import { searchUseCases } from './usecases.ts';

export function searchFeature(deps: Deps) {
  const search = searchUseCases(deps);
  const index = rebuildUseCases(deps);

  return feature('search', {
    find: ({ query, ctx }) => search.find(query, ctx),
    suggest: ({ query, ctx }) => search.suggest(query, ctx),
    rebuild: ({ ctx }) => index.rebuild(ctx),
  });
}
