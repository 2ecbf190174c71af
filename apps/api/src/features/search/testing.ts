import type { FeatureFixtures, Story } from '../../testing/feature-fixtures.ts';

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
  stories: { 'an index that is built anew': rebuiltIndex },
};

async function rebuiltIndex({ walk, people: { ada }, teamId }: Story): Promise<void> {
  const input = { params: { id: teamId } };
  await walk('search.rebuild', { as: ada, input, recorded: null });
}
