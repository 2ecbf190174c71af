import { beforeEach, expect, test } from 'vitest';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';

import { someFile, untilFollowed, uploadFile } from '../../testing/library.ts';
import { joinTeam, newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');
const team = await newTeamOf(api, owner);
const { organizationId } = team;
const { body: collection } = await call(api, 'collections.create', {
  ...team,
  body: { title: 'Pictures' },
});
let [ada, bob] = [{} as TestUser, {} as TestUser];
let id: string;
beforeEach(async () => {
  [ada, bob] = [await newUser(api, 'ada'), await newUser(api, 'bob')];
  for (const user of [ada, bob]) await joinTeam(api, organizationId, user, 'MEMBER');
  const into = { collectionId: collection.data.id as string, organizationId };
  ({ id } = await uploadFile(api, ada, someFile(3, 'logo.png'), into));
});

const as = ({ token }: TestUser) => ({ token, organizationId });
async function post(body: string, user: TestUser): Promise<string> {
  const options = { ...as(user), params: { id }, body: { body } };
  const response = await call(api, 'assetComments.create', options);
  expect(response.status).toBe(201);
  return response.body.data.id;
}
async function inboxOf({ token }: TestUser) {
  await untilFollowed(api);
  const { body } = await call(api, 'notifications.list', { token });
  return body.data.items.filter(({ subject }: { subject: { id: string } }) => subject.id === id);
}

test('those who uploaded or commented are told of comments, the mentioned of mentions, and none of their own', async () => {
  await post('First', bob);
  expect(await inboxOf(ada)).toMatchObject([
    {
      reason: 'commented',
      actor: { id: bob.id },
      subject: { type: 'asset', id, title: 'logo.png', link: `/assets/${id}` },
      excerpt: 'First',
      eventCount: 1,
    },
  ]);
  await post('Second', bob);
  await post(`@${owner.email} and all`, ada);
  expect(await inboxOf(ada)).toMatchObject([
    { reason: 'commented', eventCount: 2, excerpt: 'Second' },
  ]);
  expect(await inboxOf(bob)).toMatchObject([{ reason: 'commented', actor: { id: ada.id } }]);
  expect(await inboxOf(owner)).toMatchObject([
    { reason: 'mentioned', excerpt: `@${owner.email} and all` },
  ]);
});

test('what is about a file in the bin is hidden, and a deleted comment has no excerpt', async () => {
  const commentId = await post('First', bob);
  await call(api, 'assetComments.remove', { ...as(bob), params: { id, commentId } });
  expect(await inboxOf(ada)).toMatchObject([{ excerpt: null }]);
  await call(api, 'assets.remove', { ...as(ada), params: { id } });
  expect(await inboxOf(ada)).toEqual([]);
  await call(api, 'assets.restore', { ...as(ada), params: { id } });
  expect(await inboxOf(ada)).toHaveLength(1);
});

const review = (status: string, user: TestUser) =>
  call(api, 'assets.review', { ...as(user), params: { id }, body: { status } });

test('a status of the review is told to those who uploaded or commented, and not to the one who set it', async () => {
  await post('First', bob);
  await review('IN_REVIEW', ada);
  expect(await inboxOf(ada)).toMatchObject([{ reason: 'commented', reviewStatus: null }]);
  expect(await inboxOf(bob)).toMatchObject([
    {
      reason: 'changed',
      reviewStatus: 'IN_REVIEW',
      actor: { id: ada.id },
      subject: { type: 'asset', id, title: 'logo.png', link: `/assets/${id}` },
      excerpt: null,
      eventCount: 1,
    },
  ]);
  await review('CHANGES_REQUESTED', ada);
  await review('APPROVED', owner);
  await review('APPROVED', owner);
  await review('NONE', owner);
  expect(await inboxOf(bob)).toMatchObject([
    { reason: 'changed', reviewStatus: 'APPROVED', actor: { id: owner.id }, eventCount: 3 },
  ]);
  expect(await inboxOf(owner)).toEqual([]);
});

test('an earlier entry keeps the status that it told of', async () => {
  await review('IN_REVIEW', bob);
  const [told] = await inboxOf(ada);
  const read = { token: ada.token, params: { id: told.id }, body: { isRead: true } };
  const marked = await call(api, 'notifications.update', read);
  expect(marked.body.data).toMatchObject({ isRead: true, reviewStatus: 'IN_REVIEW' });
  await review('APPROVED', bob);
  expect(await inboxOf(ada)).toMatchObject([
    { reviewStatus: 'APPROVED', isRead: false },
    { reviewStatus: 'IN_REVIEW', isRead: true },
  ]);
});

test('the review of a file in the bin is hidden, and who does not want changes is told none', async () => {
  await review('APPROVED', bob);
  expect(await inboxOf(ada)).toHaveLength(1);
  await call(api, 'assets.remove', { ...as(ada), params: { id } });
  expect(await inboxOf(ada)).toEqual([]);
  await call(api, 'assets.restore', { ...as(ada), params: { id } });
  await post('Looks good', owner);
  const { body } = await call(api, 'notifications.preferences', { token: owner.token });
  const reasons = { ...body.data.reasons, changed: { inbox: false, mail: 'OFF' } };
  const changed = { token: owner.token, body: { ...body.data, reasons } };
  expect((await call(api, 'notifications.setPreferences', changed)).status).toBe(200);
  await review('IN_REVIEW', bob);
  expect(await inboxOf(ada)).toHaveLength(2);
  expect(await inboxOf(owner)).toEqual([]);
});
