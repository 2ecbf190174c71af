import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { dashboardUseCases } from './usecases.ts';

export function dashboardFeature(deps: Deps) {
  const dashboard = dashboardUseCases(deps);

  return feature('dashboard', {
    summary: ({ ctx }) => dashboard.summary(ctx),
  });
}
