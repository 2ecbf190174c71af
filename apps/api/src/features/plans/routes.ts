import type { Plan } from '@atelier/contract';
import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { numberedWindowOf, paginationOf } from '../../kernel/pagination.ts';
import { planQueries, type PlanRow } from './queries.ts';

export function plansFeature({ db }: Deps) {
  const plans = planQueries(db);

  return feature('plans', {
    async list({ query }) {
      // Reads all of them in one round trip and cuts the page here: rows and their count would take two.
      const rows = await plans.list();
      const { offset, limit } = numberedWindowOf(query);
      return {
        items: rows.slice(offset, offset + limit).map(present),
        pagination: paginationOf(query, rows.length),
      };
    },
  });
}

function present(row: PlanRow): Plan {
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    description: row.description,
    priceCents: row.priceCents,
    currency: row.currency,
    interval: row.interval,
    limits: {
      members: row.maxMembers,
      storageBytes: row.maxStorageBytes,
      maxFileBytes: row.maxFileBytes,
      projects: row.maxProjects,
      versionsPerAsset: row.maxVersionsPerAsset,
      teamsPerAccount: row.maxTeamsPerAccount,
    },
    features: row.features,
    isDefault: row.isDefault,
  };
}
