import type { FeatureFixtures } from '../../testing/feature-fixtures.ts';
import { noInput, withActivityFilters } from '../../testing/fixture-parts.ts';

export const timelineFixtures: FeatureFixtures<'timeline'> = {
  inputs: {
    mine: withActivityFilters(noInput),
    list: withActivityFilters(noInput),
    resource: withActivityFilters((team) => [{ params: { type: 'asset', id: team.assetId } }]),
    summary: (team) => [{}, { query: { actorId: team.ownerUserId } }],
  },
};
