import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { taskAssetUseCases } from './usecases.ts';

export function taskAssetsFeature(deps: Deps) {
  const taskAssets = taskAssetUseCases(deps);

  return feature('taskAssets', {
    list: ({ params, query, ctx }) => taskAssets.list(params.id, query, ctx),
    attach: ({ params, ctx }) => taskAssets.attach(params, ctx),
    detach: ({ params, ctx }) => taskAssets.detach(params, ctx),
  });
}
