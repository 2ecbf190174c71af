import type { FeatureFixtures } from '../../testing/feature-fixtures.ts';

export const searchFixtures: FeatureFixtures<'search'> = {
  inputs: {
    find: (team) => [
      { query: { q: 'a' } },
      { query: { q: 'a', projectId: team.projectId } },
      { query: { q: 'a', collectionId: team.collectionId } },
      { query: { q: 'a', assigneeId: team.ownerUserId } },
      { query: { q: 'a', createdBy: team.ownerUserId } },
    ],
    suggest: () => [{ query: { q: 'a' } }],
    rebuild: (team) => [{ params: { id: team.organizationId } }],
  },
};
