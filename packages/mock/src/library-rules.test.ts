import { describe, expect, test } from 'vitest';
import { inOrganization, setUpMock } from './testing/mock.ts';

const { send, create, join, joinTeam, newTeam, upload } = setUpMock();

const newCollection = async (title: string, sent: object = {}) =>
  (await create('/api/collections/create', { ...sent, body: { title } })).id;
const restoreVersion = async (id: string, versionNumber: number, sent: object = {}) =>
  (await send('PATCH', `/api/assets/${id}/versions/restore/${versionNumber}`, sent)).data;
const dashboard = async (sent: object = {}) =>
  (await send('GET', '/api/dashboard/summary', sent)).data;
const usageOf = async (sent: object = {}) => (await dashboard(sent)).assets.storageBytes;
const lastActivity = async (sent: object = {}) => (await dashboard(sent)).recentActivity[0];

describe('emptying the bin', () => {
  const remove = async (path: string, sent: object) =>
    expect((await send('DELETE', path, sent)).status).toBe(200);
  const empty = (scope: string, sent: object) =>
    send('DELETE', `/api/assets/bin?scope=${scope}`, sent);

  /** A team of the sample account and a member. */
  async function newPair() {
    const team = await newTeam();
    const headers = inOrganization(team.id);
    const token = await join('grace@example.com');
    await joinTeam(team.id, { email: 'grace@example.com', token });
    return { owner: { headers }, member: { headers, token } };
  }

  test('leaves the collections of others, also empty ones', async () => {
    const { owner, member } = await newPair();
    const others = await newCollection('Of the owner', owner);
    await remove(`/api/collections/${others}`, owner);
    expect((await empty('organization', member)).code).toBe('permission_denied');
    expect((await empty('personal', member)).data).toEqual({ assetCount: 0, collectionCount: 0 });
    const restored = await send('POST', `/api/collections/${others}/restore`, owner);
    expect(restored.status).toBe(200);
  });

  test('leaves what was deleted along with something of others, unless the caller may delete that', async () => {
    const { owner, member } = await newPair();
    const [ofOwner, ofMember] = [
      await newCollection('Of the owner', owner),
      await newCollection('Of the member', member),
    ];
    const apart = await upload({ ...member, collectionId: ofOwner, content: 'apart' });
    await remove(`/api/assets/${apart.id}`, member);
    await upload({ ...member, collectionId: ofOwner, content: 'along' });
    await upload({ ...owner, collectionId: ofMember, content: 'one' });
    await upload({ ...member, collectionId: ofMember, content: 'two' });
    await remove(`/api/collections/${ofOwner}`, owner);
    await remove(`/api/collections/${ofMember}`, owner);
    expect((await empty('organization', member)).code).toBe('permission_denied');
    const own = await empty('personal', member);
    expect(own.data).toEqual({ assetCount: 1, collectionCount: 0 });
    const whole = await empty('organization', owner);
    expect(whole.data).toEqual({ assetCount: 3, collectionCount: 2 });
    expect(await lastActivity(owner)).toMatchObject({
      action: 'organization.empty_bin',
      metadata: { assetCount: 3, collectionCount: 2 },
    });
  });
});

test('the bin lists what was deleted along with a collection in that collection only', async () => {
  const [kept, gone] = [await newCollection('Kept'), await newCollection('Gone')];
  const [apart, along] = [
    await upload({ collectionId: kept, content: 'apart' }),
    await upload({ collectionId: gone, content: 'along' }),
  ];
  await send('DELETE', `/api/assets/${apart.id}`);
  await send('DELETE', `/api/collections/${gone}`);
  const listed = async (query = '') =>
    (await send('GET', `/api/assets/bin${query}`)).data.items.map(({ id }: { id: string }) => id);
  expect(await listed()).toEqual([apart.id]);
  expect(await listed(`?collectionId=${gone}`)).toEqual([along.id]);
});

describe('restoring a version', () => {
  test('takes no storage, and says what it changed', async () => {
    const collectionId = await newCollection('Own');
    const { id: assetId } = await upload({ collectionId, content: 'first' });
    await upload({ collectionId, assetId, content: 'the second' });
    const before = await usageOf();
    expect((await restoreVersion(assetId, 1)).currentVersion).toBe(3);
    expect(await usageOf()).toBe(before);
    expect(await lastActivity()).toMatchObject({
      action: 'asset.restore_version',
      changes: [{ field: 'currentVersion', from: 2, to: 3 }],
      metadata: { restoredFrom: 1 },
    });
    expect((await restoreVersion(assetId, 1)).currentVersion).toBe(3);
  });

  test('appends one for the same bytes of another upload', async () => {
    const collectionId = await newCollection('Own');
    const { id: assetId } = await upload({ collectionId, content: 'same' });
    await upload({ collectionId, assetId, content: 'same' });
    expect((await restoreVersion(assetId, 1)).currentVersion).toBe(3);
  });
});

describe('publishing', () => {
  /** An asset of five bytes in the personal organization, and a team. */
  async function setUp() {
    const [collectionId, team] = [await newCollection('Own'), await newTeam()];
    const { id: assetId } = await upload({ collectionId, content: 'first' });
    const headers = inOrganization(team.id);
    const publish = (sent: object = {}) =>
      send('POST', `/api/assets/${assetId}/publish`, { headers, body: {}, ...sent });
    return { team, inTeam: { headers }, collectionId, assetId, publish };
  }

  test('is refused without other content, also after a change that was reverted', async () => {
    const { collectionId, assetId, publish } = await setUp();
    expect((await publish()).status).toBe(201);
    await upload({ collectionId, assetId, content: 'second' });
    await restoreVersion(assetId, 1);
    const refused = await publish();
    expect(refused).toMatchObject({ status: 409, code: 'already_published' });
  });

  test("does not undo the team's later changes", async () => {
    const { collectionId, assetId, publish, inTeam } = await setUp();
    const { data: published } = await publish();
    await upload({
      ...inTeam,
      collectionId: published.collectionId,
      assetId: published.id,
      content: 'of the team',
    });
    expect((await publish()).code).toBe('already_published');
    await upload({ collectionId, assetId, content: 'second' });
    expect((await publish()).data.currentVersion).toBe(3);
    await restoreVersion(published.id, 1, inTeam);
    expect((await publish()).code).toBe('already_published');
    await restoreVersion(assetId, 1);
    expect((await publish()).code).toBe('already_published');
  });

  test('counts content once, and says which version of which asset it made', async () => {
    const { collectionId, assetId, publish, inTeam } = await setUp();
    const { data: published } = await publish();
    await send('DELETE', `/api/assets/${published.id}`, inTeam);
    const second = await publish();
    expect(second).toMatchObject({ status: 201, data: { currentVersion: 1 } });
    expect(second.data.id).not.toBe(published.id);
    expect(await usageOf(inTeam)).toBe(5);
    await send('POST', `/api/assets/${published.id}/restore`, inTeam);
    await upload({ collectionId, assetId, content: 'second' });
    const third = await publish();
    expect(third.data).toMatchObject({ id: second.data.id, currentVersion: 2 });
    expect(await lastActivity(inTeam)).toMatchObject({
      action: 'asset.publish',
      metadata: { sourceAssetId: assetId, versionNumber: 2 },
    });
  });

  test('takes an API key for the personal organization too', async () => {
    const { team, publish } = await setUp();
    const { data: user } = await send('GET', '/api/auth/user');
    const publishWith = async (organizationIds: readonly string[]) => {
      const body = { name: 'Program', scopes: ['asset:publish'], organizationIds };
      const { key } = await create('/api/auth/api-keys', { body });
      return publish({ token: key });
    };
    expect(await publishWith([team.id])).toMatchObject({ status: 404, code: 'not_found' });
    expect((await publishWith([team.id, user.personalOrganizationId])).status).toBe(201);
  });

  test('is not for service accounts, which have no personal organization', async () => {
    const { team, publish, inTeam } = await setUp();
    const { data: published } = await publish();
    const path = `/api/organizations/${team.id}/service-accounts`;
    const account = await create(path, { body: { name: 'Robot', role: 'ADMIN' } });
    const keyed = { name: 'Program', scopes: ['asset:publish'] };
    const { key: token } = await create(`${path}/${account.id}/keys`, { body: keyed });
    const sent = { ...inTeam, token, body: {} };
    const refused = await send('POST', `/api/assets/${published.id}/publish`, sent);
    expect(refused).toMatchObject({ status: 404, code: 'not_found' });
  });
});
