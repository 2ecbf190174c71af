import { newAccount } from '../accounts.ts';
import type { Check } from '../check.ts';

const policy: Check = {
  id: 'api-key.policy',
  group: 'apiKeys',
  title: 'an organization refuses personal API keys, limits their age, and excludes one',
  run: async ({ probe }) => {
    const rule = 'api-key.policy';
    const { token, personalOrganizationId } = await newAccount(probe, 'policy');
    const { id } = await probe.succeed('organizations.create', {
      token,
      body: { name: 'Strict' },
    });
    const params = { id };
    const ask = (expiresInDays: number | null) =>
      probe.request('apiKeys.create', {
        token,
        body: {
          name: 'Labels',
          scopes: ['label:read'],
          organizationIds: [id, personalOrganizationId],
          expiresInDays,
        },
      });
    const set = (body: object) => probe.succeed('apiKeys.updatePolicy', { token, params, body });
    const made = probe.dataIn('apiKeys.create', await ask(null));
    const read = (organizationId: string) =>
      probe.request('labels.list', { token: made.key, organizationId });
    probe.dataIn('labels.list', await read(id));

    await set({ personalKeys: 'REFUSED' });
    probe.expectRefusal(rule, await read(id), 'organization_access_denied');
    probe.dataIn('labels.list', await read(personalOrganizationId));
    probe.expectRefusal(rule, await ask(30), 'validation_failed');
    await set({ personalKeys: 'ALLOWED', maxLifetimeDays: 30 });
    probe.dataIn('labels.list', await read(id));
    probe.expectRefusal(rule, await ask(31), 'validation_failed');
    probe.expectRefusal(rule, await ask(null), 'validation_failed');
    probe.dataIn('apiKeys.create', await ask(30));
    const personal = await probe.request('apiKeys.updatePolicy', {
      token,
      params: { id: personalOrganizationId },
      body: { maxLifetimeDays: 30 },
    });
    probe.expectRefusal(rule, personal, 'personal_organization');

    const list = await probe.request('apiKeys.listOfOrganization', { token, params });
    probe.expect({
      rule,
      response: list,
      holds: list.text.includes(made.id) && !list.text.includes(made.key),
      expected: 'the key in the list, without its secret',
    });
    const exclude = () =>
      probe.request('apiKeys.exclude', { token, params: { id, keyId: made.id } });
    probe.dataIn('apiKeys.exclude', await exclude());
    probe.expectRefusal(rule, await exclude(), 'not_found');
    probe.expectRefusal(rule, await read(id), 'organization_access_denied');
    probe.dataIn('labels.list', await read(personalOrganizationId));
  },
};

export const keyPolicyScenarios: readonly Check[] = [policy];
