import type { Deps } from '../../deps.ts';
import { room } from '../../http/room.ts';
import { timelineUseCases } from './usecases.ts';

export function timelineRoom(deps: Deps) {
  const timeline = timelineUseCases(deps);

  return room('timeline', {
    mine: ({ query, ctx }) => timeline.mine(query, ctx),
    list: ({ query, ctx }) => timeline.list(query, ctx),
    resource: ({ params, query, ctx }) => timeline.resource(params, query, ctx),
    summary: ({ query, ctx }) => timeline.summary(query, ctx),
  });
}
