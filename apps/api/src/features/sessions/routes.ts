import type { Deps } from '../../deps.ts';
import { room } from '../../http/room.ts';
import { sessionUseCases } from './usecases.ts';

export function sessionsRoom(deps: Deps) {
  const sessions = sessionUseCases(deps);

  return room('sessions', {
    list: ({ query, ctx }) => sessions.list(query, ctx),
    end: ({ params, ctx }) => sessions.end(params.id, ctx),
    endOthers: ({ ctx }) => sessions.endOthers(ctx),
  });
}
