import type { DashboardSummary } from '@atelier/contract';
import { withGenericPlans } from '../../db/generic-plans.ts';
import type { Deps } from '../../deps.ts';
import { maySee } from '../../domain/activity-view/audience.ts';
import { presentActivity } from '../../domain/activity-view/present.ts';
import { activityQueries } from '../../domain/activity-view/queries/lists.ts';
import { scopesOf, type MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { replicaReads } from '../../domain/replica-reads.ts';
import { findFigures } from './queries.ts';

/** Number of activities that a dashboard shows. */
const shownActivities = 10;
/** Number of activities to choose from: some of the newest may not be visible to everyone. */
const readActivities = 50;
const weekMs = 7 * 24 * 60 * 60 * 1000;

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
      const weekAgo = new Date(now.getTime() - weekMs);
      const [figures, recent] = await read({ organizationId }, (db) =>
        withGenericPlans(db, (tx) =>
          Promise.all([
            findFigures(tx, { organizationId, viewerId, now, weekAgo }),
            activityQueries(tx).latest({ viewerId, organizationId }, readActivities),
          ]),
        ),
      );
      // Deleted since the request was authorized.
      if (!figures) throw new Failure('organization_access_denied');
      return {
        ...figures,
        recentActivity: recent
          .filter(({ actor, ...change }) =>
            maySee(
              { userId: ctx.user.id, role: ctx.role, scopes: scopesOf(ctx.credential) },
              { ...change, actorId: actor?.id ?? null },
            ),
          )
          .slice(0, shownActivities)
          .map(presentActivity),
        generatedAt: now.toISOString(),
      };
    },
  };
}
