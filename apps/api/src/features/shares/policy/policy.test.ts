import { describe, expect, test } from 'vitest';
import { activitiesOf } from '../../../testing/activities.ts';
import { call } from '../../../testing/api.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';
import { sharesOf } from '../testing/teams.ts';

const { api, user } = await setUpApiWithUser();
const { team, daysAfter } = sharesOf(api, user);

const actionsOf = async (id: string) => (await activitiesOf(api, id)).map(({ action }) => action);

describe('the policy of an organization', () => {
  test('ends and shortens existing shares together with its change, in one activity', async () => {
    const { organizationId, newShare, setPolicy, get } = await team();
    const withPassword = await newShare({ password: 'printer 4711', expiresAt: null });
    const open = await newShare({ allowDownload: true });
    const policy = { requirePassword: true, maxDays: 7, allowDownload: false };
    const { status, body } = await setPolicy(policy);
    expect([status, body.data]).toEqual([200, { allowed: true, ...policy }]);
    expect((await get(open.id)).body.data.status).toBe('REVOKED');
    const kept = (await get(withPassword.id)).body.data;
    expect([kept.status, kept.expiresAt]).toEqual(['ACTIVE', daysAfter(kept.updatedAt, 7)]);
    const [activity] = await activitiesOf(api, organizationId);
    expect(activity).toMatchObject({
      action: 'organization.change_share_policy',
      metadata: { endedCount: 1, shortenedCount: 1 },
    });
    await setPolicy({ allowed: false });
    expect((await get(withPassword.id)).body.data.status).toBe('REVOKED');
  });

  test('switches downloads off where they are on', async () => {
    const { newShare, setPolicy, get } = await team();
    const { id } = await newShare({ allowDownload: true });
    await setPolicy({ allowDownload: false });
    expect((await get(id)).body.data).toMatchObject({ allowDownload: false, status: 'ACTIVE' });
  });

  test.each([
    [{ allowed: false }, {}],
    [{ requirePassword: true }, {}],
    [{ maxDays: 7 }, { expiresAt: null }],
    [{ maxDays: 7 }, { expiresAt: '9999-01-01' }],
    [{ allowDownload: false }, { allowDownload: true }],
  ])('%j refuses %j, as new and as changed', async (policy, conditions) => {
    const { create, newShare, update, setPolicy } = await team();
    const { id } = await newShare();
    await setPolicy(policy);
    expect((await create(conditions)).body.code).toBe('share_policy');
    if (Object.keys(conditions).length === 0) return;
    expect((await update(id, conditions)).body.code).toBe('share_policy');
  });

  test('new shares expire by themselves as early as it demands', async () => {
    const { newShare, setPolicy } = await team();
    await setPolicy({ maxDays: 3 });
    const share = await newShare();
    expect(share.expiresAt).toBe(daysAfter(share.createdAt, 3));
  });

  test('a no-op records nothing, and a stale If-Match is refused', async () => {
    const { by, organizationId, setPolicy } = await team();
    const options = { ...by, params: { id: organizationId } };
    const { headers, body } = await call(api, 'shares.policy', options);
    expect(body.data).toEqual({
      allowed: true,
      requirePassword: false,
      maxDays: null,
      allowDownload: true,
    });
    await setPolicy({ allowed: true });
    await setPolicy({ maxDays: 9 });
    const stale = await call(api, 'shares.updatePolicy', {
      ...options,
      body: { maxDays: 8 },
      headers: { 'if-match': headers.get('etag') ?? '' },
    });
    expect(stale.body.code).toBe('precondition_failed');
    const actions = await actionsOf(organizationId);
    expect(actions.filter((action) => action.includes('share_policy'))).toHaveLength(1);
    expect((await setPolicy({ maxDays: 366 })).status).toBe(400);
    expect((await setPolicy({})).status).toBe(400);
  });

  test('shares that are made while it is tightened obey it', async () => {
    const { create, setPolicy, list } = await team();
    const [policy] = await Promise.all([
      setPolicy({ requirePassword: true }),
      ...Array.from({ length: 8 }, () => create()),
    ]);
    expect(policy.status).toBe(200);
    expect((await list({ status: 'ACTIVE' })).items).toEqual([]);
  });
});
