import type { Deps } from '../../deps.ts';
import { room } from '../../http/room.ts';
import { dashboardUseCases } from './usecases.ts';

export function dashboardRoom(deps: Deps) {
  const dashboard = dashboardUseCases(deps);

  return room('dashboard', {
    summary: ({ ctx }) => dashboard.summary(ctx),
  });
}
