import { newAccount } from '../accounts.ts';
import type { Check } from '../check.ts';

const life: Check = {
  id: 'service-account.life',
  group: 'serviceAccounts',
  title: 'a service account acts by its keys within its role, until it is deleted',
  run: async ({ probe }) => {
    const rule = 'service-account.life';
    const { token, personalOrganizationId } = await newAccount(probe, 'robots');
    const named = { token, body: { name: 'Robots' } };
    const { id } = await probe.succeed('organizations.create', named);
    const params = { id };
    const account = await probe.succeed('serviceAccounts.create', { ...named, params });
    const accountId = account.id;
    const personal = { ...named, params: { id: personalOrganizationId } };
    const refused = await probe.request('serviceAccounts.create', personal);
    probe.expectRefusal(rule, refused, 'personal_organization');

    const ofAccount = { token, params: { id, accountId } };
    const key = await probe.succeed('serviceAccounts.createKey', {
      ...ofAccount,
      body: { name: 'Labels', scopes: ['label:read', 'label:create'] },
    });
    const list = await probe.request('serviceAccounts.listKeys', ofAccount);
    probe.expect({
      rule,
      response: list,
      holds: list.text.includes(key.id) && !list.text.includes(key.key),
      expected: 'the key in the list, without its secret',
    });
    const newLabel = (name: string, secret = key.key) =>
      probe.request('labels.create', { token: secret, body: { name, color: 'RED' } });
    const label = probe.dataIn('labels.create', await newLabel('By a robot'));
    const timeline = await probe.request('timeline.list', {
      token,
      organizationId: id,
      query: { apiKeyId: key.id },
    });
    const activities = probe.dataIn('timeline.list', timeline);
    probe.expect({
      rule,
      response: timeline,
      holds: activities.items.some(
        ({ resourceId, actor }) => resourceId === label.id && actor?.id === accountId,
      ),
      expected: 'an activity of the account, found by its key',
    });

    const { items: members } = await probe.succeed('organizations.listMembers', { token, params });
    const memberId = members.find(({ userId }) => userId === accountId)?.id ?? '';
    const asMember = await probe.request('organizations.removeMember', {
      token,
      params: { id, memberId },
    });
    probe.expectRefusal(rule, asMember, 'permission_denied');
    await probe.succeed('serviceAccounts.update', { ...ofAccount, body: { role: 'VIEWER' } });
    probe.expectRefusal(rule, await newLabel('By a viewer'), 'permission_denied');
    await probe.succeed('serviceAccounts.update', { ...ofAccount, body: { role: 'MEMBER' } });

    const ofKey = { token, params: { id, accountId, keyId: key.id } };
    const rotate = () =>
      probe.request('serviceAccounts.rotateKey', { ...ofKey, body: { overlapHours: 0 } });
    const next = probe.dataIn('serviceAccounts.rotateKey', await rotate());
    probe.expectRefusal(rule, await rotate(), 'api_key_ended');
    probe.expectRefusal(rule, await newLabel('By the old key'), 'unauthenticated');
    probe.dataIn('labels.create', await newLabel('By the next key', next.key));
    await probe.succeed('serviceAccounts.revokeKey', {
      token,
      params: { ...ofKey.params, keyId: next.id },
    });
    probe.expectRefusal(rule, await newLabel('By no key', next.key), 'unauthenticated');

    const last = await probe.succeed('serviceAccounts.createKey', {
      ...ofAccount,
      body: { name: 'Last', preset: 'contributor' },
    });
    await probe.succeed('serviceAccounts.remove', ofAccount);
    probe.expectRefusal(rule, await newLabel('By a deleted account', last.key), 'unauthenticated');
    const gone = await probe.request('serviceAccounts.listKeys', ofAccount);
    probe.expectRefusal(rule, gone, 'not_found');
  },
};

export const serviceAccountScenarios: readonly Check[] = [life];
