import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { timelineUseCases } from './usecases.ts';

export function timelineFeature(deps: Deps) {
  const timeline = timelineUseCases(deps);

  return feature('timeline', {
    mine: ({ query, ctx }) => timeline.mine(query, ctx),
    list: ({ query, ctx }) => timeline.list(query, ctx),
    resource: ({ params, query, ctx }) => timeline.resource(params, query, ctx),
    summary: ({ query, ctx }) => timeline.summary(query, ctx),
  });
}
