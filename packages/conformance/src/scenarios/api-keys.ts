import { mailedToken, newAccount } from '../accounts.ts';
import type { Check } from '../check.ts';

const life: Check = {
  id: 'api-key.life',
  group: 'apiKeys',
  title: 'an API key acts within its scopes and organizations until it is replaced and revoked',
  run: async ({ probe, fixtures }) => {
    const rule = 'api-key.life';
    const account = await newAccount(probe, 'keys');
    const { token, personalOrganizationId } = account;
    const body = {
      name: 'Labels',
      scopes: ['label:read', 'label:create'] as const,
      organizationIds: [personalOrganizationId],
    };
    const created = await probe.request('apiKeys.create', {
      token,
      body: { ...body, toolMode: 'READ_ONLY' },
    });
    const made = probe.dataIn('apiKeys.create', created);
    const list = await probe.request('apiKeys.list', { token });
    probe.expect({
      rule,
      response: list,
      holds: list.text.includes(made.id) && !list.text.includes(made.key),
      expected: 'the key in the list, without its secret',
    });
    const byDefault = await probe.request('apiKeys.create', { token, body: { ...body } });
    for (const [response, toolMode] of [
      [created, 'READ_ONLY'],
      [byDefault, 'ASK'],
    ] as const) {
      const actual = probe.dataIn('apiKeys.create', response);
      probe.expectFields({ rule, response, actual, expected: { toolMode } });
    }
    await probe.succeed('labels.create', {
      token: made.key,
      body: { name: 'By a program', color: 'RED' },
    });
    const elsewhere = await probe.request('labels.list', {
      token: made.key,
      organizationId: fixtures.team.id,
    });
    probe.expectRefusal(rule, elsewhere, 'organization_access_denied');
    const foreign = await probe.request('apiKeys.create', {
      token,
      body: { ...body, organizationIds: [fixtures.team.id] },
    });
    probe.expectRefusal(rule, foreign, 'not_found');
    probe.expectRefusal(rule, await probe.request('apiKeys.current', { token }), 'not_found');

    const params = { id: made.id };
    await probe.succeed('apiKeys.rename', { token, params, body: { name: 'Renamed' } });
    const rotate = () =>
      probe.request('apiKeys.rotate', { token, params, body: { overlapHours: 0 } });
    const rotated = await rotate();
    const next = probe.dataIn('apiKeys.rotate', rotated);
    const expected = { name: 'Renamed', toolMode: 'READ_ONLY' };
    probe.expectFields({ rule, response: rotated, actual: next, expected });
    const old = await probe.request('labels.list', { token: made.key });
    probe.expectRefusal(rule, old, 'unauthenticated');
    probe.expectRefusal(rule, await rotate(), 'api_key_ended');
    await probe.succeed('labels.list', { token: next.key });
    await probe.succeed('apiKeys.revoke', { token, params: { id: next.id } });
    const revoked = await probe.request('labels.list', { token: next.key });
    probe.expectRefusal(rule, revoked, 'unauthenticated');
  },
};

const leak: Check = {
  id: 'api-key.leak',
  group: 'apiKeys',
  title: 'a report of a leak ends a key, and responds alike to anything else',
  run: async ({ probe }) => {
    const { token, personalOrganizationId } = await newAccount(probe, 'leak');
    const { key } = await probe.succeed('apiKeys.create', {
      token,
      body: { name: 'Leaked', preset: 'everything', organizationIds: [personalOrganizationId] },
    });
    const report = (found: string) => probe.request('apiKeys.reportLeak', { body: { key: found } });
    const genuine = await report(key);
    const ended = await probe.request('labels.list', { token: key });
    probe.expectRefusal('api-key.leak', ended, 'unauthenticated');
    for (const other of [await report(key), await report('no key at all')]) {
      probe.expect({
        rule: 'api-key.leak',
        response: other,
        holds: other.status === genuine.status && other.text === genuine.text,
        expected: `the same response as for a key (${genuine.status})`,
      });
    }
  },
};

const reset: Check = {
  id: 'api-key.reset',
  group: 'apiKeys',
  title: 'a password reset revokes API keys where it asks for that',
  run: async ({ probe }) => {
    const { email, token, personalOrganizationId } = await newAccount(probe, 'key-reset');
    const { key } = await probe.succeed('apiKeys.create', {
      token,
      body: { name: 'Kept', preset: 'read-only', organizationIds: [personalOrganizationId] },
    });
    const resetWith = async (choice: object, after?: string) => {
      await probe.succeed('auth.requestPasswordReset', { body: { email } });
      const link = after === undefined ? 'reset' : ({ kind: 'reset', after } as const);
      const mailed = await mailedToken(probe, email, link);
      const body = { token: mailed, password: 'a new pass phrase', ...choice };
      await probe.succeed('auth.resetPassword', { body });
      return mailed;
    };
    const used = await resetWith({});
    await probe.succeed('labels.list', { token: key });
    await resetWith({ revokeApiKeys: true }, used);
    const revoked = await probe.request('labels.list', { token: key });
    probe.expectRefusal('api-key.reset', revoked, 'unauthenticated');
  },
};

export const apiKeyScenarios: readonly Check[] = [life, leak, reset];
