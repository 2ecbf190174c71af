// @module-tag slow

import { expect, test } from 'vitest';
import { newUser } from '../../../testing/accounts.ts';
import { call } from '../../../testing/api.ts';
import { inboxOf, untilEvents } from '../../../testing/inboxes.ts';
import { expectExactCounts } from '../../../testing/kept-counts.ts';
import { someFile, untilFollowed, uploadFile } from '../../../testing/library.ts';
import { joinTeam } from '../../../testing/organizations.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';
import { visitsOf } from '../visits/testing.ts';

const { api, user: sharer } = await setUpApiWithUser();
const { team, visit } = visitsOf(api, sharer);

/** An asset of another member than its sharer, and a member who has nothing to do with it. */
async function sharedByAnother() {
  const context = await team();
  const { organizationId, place } = context;
  const [follower, bystander] = [await newUser(api, 'follower'), await newUser(api, 'bystander')];
  await joinTeam(api, organizationId, follower, 'MEMBER');
  await joinTeam(api, organizationId, bystander, 'MEMBER');
  const asset = await uploadFile(api, follower, someFile(5, 'ridge.bin'), place);
  const share = await context.newShare({ allowComments: true });
  const counts = async () => {
    const { body } = await call(api, 'assets.get', { ...context.by, params: { id: asset.id } });
    return [body.data.commentCount, body.data.openCommentCount];
  };
  return { ...context, follower, bystander, asset, share, counts };
}

const commented = async (reader: { token: string }) =>
  (await inboxOf(api, reader)).filter(({ reason }) => reason !== 'shared_opened');

test('a guest’s comment reaches who follows the file, and a mention in it no one else', async () => {
  const { follower, bystander, asset, share, counts } = await sharedByAnother();
  const guest = await visit(share);
  const body = `@${bystander.email} @${follower.email} see <b>here</b>`;
  const visitorName = '<i>Grace</i>';
  expect((await guest.comment(asset.id, { body, visitorName })).status).toBe(201);
  const entry = {
    reason: 'commented',
    actor: null,
    guestName: visitorName,
    subject: { type: 'asset', id: asset.id },
    excerpt: body,
    eventCount: 1,
  };
  expect(await untilEvents(api, follower, 1)).toMatchObject([entry]);
  await expect.poll(() => commented(sharer), { timeout: 20_000 }).toMatchObject([entry]);
  await untilFollowed(api);
  expect(await inboxOf(api, bystander)).toEqual([]);
  expect(await counts()).toEqual([1, 1]);
});

test('what a member deletes of a guest is gone for members, visitors and inboxes', async () => {
  const { by, follower, asset, share, counts } = await sharedByAnother();
  const guest = await visit(share);
  const first = await guest.comment(asset.id, { body: 'The secret of the first' });
  expect((await guest.comment(asset.id, { body: 'The second' })).status).toBe(201);
  await untilEvents(api, follower, 2);
  expect(await counts()).toEqual([2, 2]);
  const params = { id: asset.id, commentId: first.body.data.id };
  const removed = { token: follower.token, organizationId: by.organizationId, params };
  expect((await call(api, 'assetComments.remove', removed)).status).toBe(200);
  expect((await call(api, 'assetComments.remove', removed)).status).toBe(404);
  await untilFollowed(api);
  expect(await counts()).toEqual([1, 1]);
  const list = await call(api, 'assetComments.list', { ...by, params: { id: asset.id } });
  const seen = [list.text, (await guest.comments(asset.id)).text];
  seen.push(JSON.stringify([await inboxOf(api, follower), await inboxOf(api, sharer)]));
  for (const text of seen) expect(text).not.toContain('The secret of the first');
  expect(list.body.data.items).toMatchObject([{ guestName: 'Grace', body: 'The second' }]);
  await expectExactCounts(api);
});

test('a guest’s comment reaches its sharer in a personal organization too', async () => {
  const owner = await newUser(api, 'alone');
  const { organizationId } = owner;
  const by = { token: owner.token, organizationId };
  const collection = await call(api, 'collections.create', { ...by, body: { title: 'Autumn' } });
  const place = { organizationId, collectionId: String(collection.body.data.id) };
  const asset = await uploadFile(api, owner, someFile(5, 'ridge.bin'), place);
  const shared = await call(api, 'shares.create', {
    ...by,
    body: { targetType: 'ASSET', targetId: asset.id, allowComments: true },
  });
  const guest = await visit(shared.body.data);
  for (const body of ['The first', 'The second']) {
    expect((await guest.comment(asset.id, { body })).status).toBe(201);
  }
  await expect
    .poll(() => commented(owner), { timeout: 20_000 })
    .toMatchObject([{ reason: 'commented', guestName: 'Grace', eventCount: 2 }]);
});
