import { logIn, type TestUser } from '../../testing/accounts.ts';
import { call, type TestApi } from '../../testing/api.ts';
import type { FeatureFixtures, InputsOf, Story } from '../../testing/feature-fixtures.ts';
import { withBody } from '../../testing/fixture-parts.ts';

const inOrganization: InputsOf = (team) => [{ params: { id: team.organizationId } }];
const account: InputsOf = (team) => [
  { params: { id: team.organizationId, accountId: team.serviceAccountId } },
];
const key: InputsOf = (team) => [
  {
    params: {
      id: team.organizationId,
      accountId: team.serviceAccountId,
      keyId: team.serviceKeyId,
    },
  },
];

const newKey = { name: 'Nightly build', preset: 'contributor', expiresInDays: 30 };

export const serviceAccountsFixtures: FeatureFixtures<'serviceAccounts'> = {
  inputs: {
    list: inOrganization,
    create: withBody(inOrganization, () => ({ name: 'Build server' })),
    update: withBody(account, () => ({ name: 'Build server' })),
    remove: account,
    listKeys: account,
    createKey: withBody(account, () => newKey),
    rotateKey: withBody(key, () => ({ overlapHours: 1 })),
    revokeKey: key,
  },
  endings: ['revokeKey', 'remove'],
  stories: { 'a service account from its creation to its deletion': lifeOfAnAccount },
};

async function lifeOfAnAccount({ api, walk, people, teamId }: Story): Promise<void> {
  const ada = await logIn(api, people.ada);
  const inTeam = { organizationId: teamId };
  const step = (params: Record<string, string>, body?: unknown) => ({
    as: ada,
    input: { params: { id: teamId, ...params }, ...(body !== undefined && { body }) },
  });
  const refused = [{ token: people.viewer.token }, { token: people.stranger.token }];
  const made = await walk('serviceAccounts.create', {
    ...step({}, { name: 'Build server', role: 'ADMIN' }),
    recorded: { ...inTeam, action: 'service_account.create', fields: ['name', 'role'] },
    refused: [...refused, { params: { id: ada.organizationId } }],
  });
  const accountId = String(made.body.data.id);
  await walk('serviceAccounts.update', {
    ...step({ accountId }, { name: 'Deploy server', role: 'MEMBER' }),
    recorded: { ...inTeam, action: 'service_account.update', fields: ['name', 'role'] },
    refused,
  });
  const first = await walk('serviceAccounts.createKey', {
    ...step({ accountId }, newKey),
    recorded: { ...inTeam, action: 'api_key.create' },
    refused,
  });
  const keyId = String(first.body.data.id);
  const replaced = await walk('serviceAccounts.rotateKey', {
    ...step({ accountId, keyId }, { overlapHours: 1 }),
    recorded: { ...inTeam, action: 'api_key.rotate', resourceId: keyId },
    refused,
  });
  await walk('serviceAccounts.revokeKey', {
    ...step({ accountId, keyId: String(replaced.body.data.id) }),
    recorded: { ...inTeam, action: 'api_key.revoke' },
    refused,
  });
  await walk('serviceAccounts.remove', {
    ...step({ accountId }),
    recorded: { ...inTeam, action: 'service_account.delete' },
    refused,
  });
}

interface Made {
  readonly accountId: string;
  readonly keyId: string;
  readonly key: string;
}

/** Makes a service account with a key, as an administrator does in a session that was just confirmed. */
export async function makeServiceKey(
  api: TestApi,
  by: TestUser,
  { teamId, role, ...body }: { teamId: string; role: string; [field: string]: unknown },
): Promise<Made> {
  const { token } = await logIn(api, by);
  const made = await call(api, 'serviceAccounts.create', {
    token,
    params: { id: teamId },
    body: { name: 'Build server', role },
  });
  if (made.status !== 201) throw new Error(`no service account was made: ${made.text}`);
  const accountId = String(made.body.data.id);
  const key = await call(api, 'serviceAccounts.createKey', {
    token,
    params: { id: teamId, accountId },
    body: { name: 'Test', ...body },
  });
  if (key.status !== 201) throw new Error(`no key was made: ${key.text}`);
  return { accountId, keyId: String(key.body.data.id), key: String(key.body.data.key) };
}
