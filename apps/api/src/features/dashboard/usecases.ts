import type { DashboardSummary } from '@atelier/contract';
import { withGenericPlans } from '../../db/generic-plans.ts';
import type { Deps } from '../../deps.ts';
import { presentActivity } from '../../domain/activity-view/present.ts';
import { latestActivities } from '../../domain/activity-view/queries/latest.ts';
import { scopesOf, type MemberContext } from '../../kernel/context.ts';
import { dayMs } from '../../kernel/durations.ts';
import { Failure } from '../../kernel/errors.ts';
import { replicaReads } from '../../domain/replica-reads.ts';
import { findFigures } from './queries.ts';

const weekMs = 7 * dayMs;

/** Reads the dashboard of the selected organization. */
export function dashboardUseCases(deps: Deps) {
  const { clock } = deps;
  const read = replicaReads(deps);

  return {
    /** Sends two statements together: the figures, and the latest activities. */
    async summary(ctx: MemberContext): Promise<DashboardSummary> {
      const now = clock.now();
      const organizationId = ctx.organization.id;
      const viewerId = ctx.user.id;
      const viewer = { userId: viewerId, role: ctx.role, scopes: scopesOf(ctx.credential) };
      const weekAgo = new Date(now.getTime() - weekMs);
      const [figures, recent] = await read({ organizationId }, (db) =>
        withGenericPlans(db, (tx) =>
          Promise.all([
            findFigures(tx, { organizationId, viewerId, now, weekAgo }),
            latestActivities(tx, { organizationId, viewer }),
          ]),
        ),
      );
      // Deleted since the request was authorized.
      if (!figures) throw new Failure('organization_access_denied');
      return {
        ...figures,
        recentActivity: recent.map(presentActivity),
        generatedAt: now.toISOString(),
      };
    },
  };
}
