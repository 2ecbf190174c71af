import type { FeatureFixtures } from '../../testing/feature-fixtures.ts';

export const searchFixtures: FeatureFixtures<'search'> = {
  inputs: {
    find: (team) => [
      { query: { q: 'is:open' } },
      { query: { q: 'is:open', projectId: team.projectId } },
      { query: { q: 'type:asset', collectionId: team.collectionId } },
      { query: { q: 'is:open', assigneeId: team.ownerUserId } },
      { query: { q: 'is:open', createdBy: team.ownerUserId } },
    ],
    suggest: () => [{ query: { q: 'is:open' } }],
    rebuild: (team) => [{ params: { id: team.organizationId } }],
  },
};
