import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { labelUseCases } from './usecases.ts';

export function labelsFeature(deps: Deps) {
  const labels = labelUseCases(deps);

  return feature(
    'labels',
    {
      list: ({ query, ctx }) => labels.list(query, ctx),
      create: ({ body, ctx }) => labels.create(body, ctx),
      get: ({ params, ctx }) => labels.get(params.id, ctx),
      update: ({ params, body, ctx }) => labels.update(params.id, body, ctx),
      remove: ({ params, ctx }) => labels.remove(params.id, ctx),
      set: ({ params, body, ctx }) => labels.set(params.id, body.labelIds, ctx),
    },
    { early: ['list'] },
  );
}
