import { describe, expect, test } from 'vitest';
import { newId } from '../../../kernel/ids.ts';
import { activitiesOf } from '../../../testing/activities.ts';
import { newUser, type TestUser } from '../../../testing/accounts.ts';
import { call, type CallOptions } from '../../../testing/api.ts';
import { someFile, uploadFile } from '../../../testing/library.ts';
import { joinTeam, newTeamOf } from '../../../testing/organizations.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const api = await setUpApi();
const owner = await newUser(api);
const [member, viewer] = [await newUser(api), await newUser(api)];
const team = await newTeamOf(api, owner);
const { organizationId } = team;
await joinTeam(api, organizationId, member, 'MEMBER');
await joinTeam(api, organizationId, viewer, 'VIEWER');

const as = (user: Pick<TestUser, 'token'>) => ({ ...team, token: user.token });
async function newCollection(): Promise<string> {
  const { body } = await call(api, 'collections.create', { ...team, body: { title: 'Pictures' } });
  return body.data.id;
}
const collectionId = await newCollection();
const upload = async (to: { collectionId?: string; assetId?: string } = {}): Promise<string> =>
  (await uploadFile(api, owner, someFile(3), { collectionId, organizationId, ...to })).id;
const review = (id: string, body: object, options: CallOptions = team) =>
  call(api, 'assets.review', { params: { id }, body, ...options });
const reviewOf = async (id: string) =>
  (await call(api, 'assets.get', { ...team, params: { id } })).body.data.review;
const reviewsOfVersions = async (id: string) =>
  (await call(api, 'assets.versions', { ...team, params: { id } })).body.data.items.map(
    (version: { review: unknown }) => version.review,
  );
const none = (versionNumber: number) => ({
  status: 'NONE',
  versionNumber,
  changedBy: null,
  changedAt: null,
});

describe('the review of an asset', () => {
  test('is set by members, says who and when, and is recorded', async () => {
    const id = await upload();
    expect(await reviewOf(id)).toEqual(none(1));
    const { status, body } = await review(id, { status: 'IN_REVIEW' }, as(member));
    expect([status, body.message]).toEqual([200, 'Review updated']);
    const expected = {
      status: 'IN_REVIEW',
      versionNumber: 1,
      changedBy: member.id,
      changedAt: expect.stringMatching(/Z$/),
    };
    expect(body.data.review).toEqual(expected);
    expect([await reviewOf(id), await reviewsOfVersions(id)]).toEqual([expected, [expected]]);
    const again = await review(id, { status: 'IN_REVIEW' });
    expect(again.body.data.review).toEqual(body.data.review);
    await review(id, { status: 'NONE' });
    expect(await reviewOf(id)).toMatchObject({ status: 'NONE', changedBy: owner.id });
    expect((await activitiesOf(api, id)).slice(1)).toMatchObject([
      {
        action: 'asset.change_review',
        actorId: member.id,
        changes: [{ field: 'review', from: 'NONE', to: 'IN_REVIEW' }],
        metadata: { versionNumber: 1 },
      },
      { actorId: owner.id, changes: [{ field: 'review', from: 'IN_REVIEW', to: 'NONE' }] },
    ]);
  });

  test('belongs to a version: a new one starts anew, and the old one keeps its own', async () => {
    const id = await upload();
    await review(id, { status: 'APPROVED' });
    await upload({ assetId: id });
    expect(await reviewOf(id)).toEqual(none(2));
    const { body } = await review(id, { status: 'CHANGES_REQUESTED', versionNumber: 1 });
    expect(body.data.review).toEqual(none(2));
    expect(await reviewsOfVersions(id)).toMatchObject([
      none(2),
      { status: 'CHANGES_REQUESTED', versionNumber: 1 },
    ]);
    await review(id, { status: 'APPROVED' });
    // The content of version 1 again: what was said of it then is not said of version 3.
    const params = { id, versionNumber: 1 };
    const restored = await call(api, 'assets.restoreVersion', { ...team, params });
    expect(restored.status === 200 ? restored.body.data.review : restored.body).toEqual(none(3));
  });

  test('is refused to viewers and outsiders, for unknown versions and stale states', async () => {
    const id = await upload();
    const eTag = (await call(api, 'assets.get', { ...team, params: { id } })).headers.get('etag');
    const ifMatch = { ...team, headers: { 'if-match': String(eTag) } };
    const stranger = { token: (await newUser(api)).token };
    const binned = await upload();
    await call(api, 'assets.remove', { ...team, params: { id: binned } });
    for (const [response, expected] of [
      [await review(id, { status: 'APPROVED' }, as(viewer)), 'permission_denied'],
      [await review(id, { status: 'APPROVED' }, stranger), 'not_found'],
      [await review(newId(), { status: 'APPROVED' }), 'not_found'],
      [await review(binned, { status: 'APPROVED' }), 'not_found'],
      [await review(id, { status: 'APPROVED', versionNumber: 2 }), 'not_found'],
      [await review(id, { status: 'DONE' }), 'validation_failed'],
      [await review(id, {}), 'validation_failed'],
    ] as const) {
      expect(response.body.code).toBe(expected);
    }
    expect(await reviewOf(id)).toEqual(none(1));
    expect((await review(id, { status: 'APPROVED' }, ifMatch)).status).toBe(200);
    expect((await review(id, { status: 'NONE' }, ifMatch)).status).toBe(412);
  });

  test('filters lists by that of the current version', async () => {
    const into = await newCollection();
    const ids = [await upload({ collectionId: into }), await upload({ collectionId: into })];
    const [approved = '', other = ''] = ids;
    await review(approved, { status: 'APPROVED' });
    await review(other, { status: 'APPROVED' });
    await upload({ assetId: other, collectionId: into });
    const found = async (reviewStatus: string) => {
      const query = { reviewStatus };
      const inCollection = await call(api, 'assets.listInCollection', {
        ...team,
        params: { collectionId: into },
        query,
      });
      const all = await call(api, 'assets.list', {
        ...team,
        query: { ...query, collectionId: into, scope: 'organization', q: 'bin' },
      });
      const idsOf = ({ body }: typeof all) =>
        body.data.items.map((item: { id: string }) => item.id);
      expect(idsOf(all)).toEqual(idsOf(inCollection));
      expect(all.body.data.pagination.total).toBe(all.body.data.items.length);
      return idsOf(inCollection);
    };
    expect(await found('APPROVED')).toEqual([approved]);
    expect(await found('NONE')).toEqual([other]);
    expect(await found('IN_REVIEW')).toEqual([]);
    await review(other, { status: 'IN_REVIEW' });
    expect(await found('IN_REVIEW')).toEqual([other]);
    const wrong = await call(api, 'assets.list', { ...team, query: { reviewStatus: 'DONE' } });
    expect(wrong.status).toBe(400);
  });
});
