import { logIn } from '../../testing/accounts.ts';
import type { FeatureFixtures, InputsOf, Story } from '../../testing/feature-fixtures.ts';
import { noInput, withBody } from '../../testing/fixture-parts.ts';

const key: InputsOf = (team) => [{ params: { id: team.apiKeyId } }];

const inOrganization: InputsOf = (team) => [{ params: { id: team.organizationId } }];

const newKey = (organizationIds: readonly string[]) => ({
  name: 'Nightly build',
  preset: 'contributor',
  organizationIds,
  expiresInDays: 30,
});

export const apiKeysFixtures: FeatureFixtures<'apiKeys'> = {
  inputs: {
    list: noInput,
    create: withBody(noInput, (team) => newKey([team.organizationId])),
    // A session has none; `whole-service/api-keys.test.ts` asks with keys.
    current: () => [],
    rename: withBody(key, () => ({ name: 'Weekly build' })),
    rotate: withBody(key, () => ({ overlapHours: 1 })),
    revoke: key,
    listOfOrganization: inOrganization,
    exclude: (team) => [{ params: { id: team.organizationId, keyId: team.apiKeyId } }],
    policy: inOrganization,
    updatePolicy: withBody(inOrganization, () => ({ maxLifetimeDays: 365 })),
  },
  endings: ['exclude', 'revoke'],
  stories: { 'a key from its creation to its end': lifeOfAKey },
};

async function lifeOfAKey(story: Story): Promise<void> {
  const { api, walk, people, teamId } = story;
  const ada = await logIn(api, people.ada);
  const refused = [{ token: people.stranger.token }];
  const made = await walk('apiKeys.create', {
    as: ada,
    input: { body: newKey([teamId, ada.organizationId]) },
    recorded: { action: 'api_key.create' },
    refused: [...refused, { body: newKey([people.stranger.organizationId]) }],
  });
  const params = { id: String(made.body.data.id) };
  await walk('apiKeys.rename', {
    as: ada,
    input: { params, body: { name: 'Weekly build' } },
    recorded: { action: 'api_key.rename', fields: ['name'] },
    refused,
  });
  const replaced = await walk('apiKeys.rotate', {
    as: ada,
    input: { params, body: { overlapHours: 1 } },
    recorded: { action: 'api_key.rotate', resourceId: params.id },
    refused,
  });
  const inTeam = { organizationId: teamId };
  await walk('apiKeys.updatePolicy', {
    as: ada,
    input: { params: { id: teamId }, body: { personalKeys: 'REFUSED', maxLifetimeDays: 30 } },
    recorded: {
      ...inTeam,
      action: 'organization.update',
      resourceId: teamId,
      fields: ['personalKeys', 'maxLifetimeDays'],
    },
  });
  const { id, key: leaked } = replaced.body.data;
  await walk('apiKeys.exclude', {
    as: ada,
    input: { params: { id: teamId, keyId: String(id) } },
    recorded: { ...inTeam, action: 'api_key.exclude' },
  });
  await walk('apiKeys.revoke', {
    as: ada,
    input: { params },
    recorded: { action: 'api_key.revoke' },
    refused,
  });
  await walk('apiKeys.reportLeak', {
    input: { body: { key: leaked } },
    recorded: { action: 'api_key.revoke', actorId: null, resourceId: String(id) },
  });
}
