import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { sessionUseCases } from './usecases.ts';

export function sessionsFeature(deps: Deps) {
  const sessions = sessionUseCases(deps);

  return feature('sessions', {
    list: ({ query, ctx }) => sessions.list(query, ctx),
    end: ({ params, ctx }) => sessions.end(params.id, ctx),
    endOthers: ({ ctx }) => sessions.endOthers(ctx),
  });
}
