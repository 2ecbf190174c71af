// @module-tag slow

import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import {
  assetComments,
  sharePictures,
  shares,
  shareTickets,
  shareViews,
} from '../../db/generated/schema.ts';
import { deleteAtOnce } from '../../jobs/delete-account/testing.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { databaseText } from '../../testing/database-text.ts';
import { expectExactCounts } from '../../testing/kept-counts.ts';
import { inspected, runJobs, untilFollowed, untilIdle, uploadFile } from '../../testing/library.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { somePng } from '../../testing/pictures.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';
import { visitsOf } from './visits/testing.ts';

const { api, user } = await setUpApiWithUser();
const { open, visit } = visitsOf(api, user);

const guestName = 'Hildegunde';

/** Shares a picture; a guest opens it, looks at it, downloads it and comments on it, and gets a reply. */
async function visited(sharer: TestUser, organizationId?: string) {
  const by: CallOptions = { token: sharer.token, ...(organizationId && { organizationId }) };
  const made = await call(api, 'collections.create', { ...by, body: { title: 'Autumn' } });
  const collectionId = String(made.body.data.id);
  const file = { fileName: 'ridge.png', contentType: 'image/png', content: await somePng() };
  const place = { collectionId, ...(organizationId && { organizationId }) };
  const asset = await uploadFile(api, sharer, file, place);
  await inspected(api, asset.id);
  const body = {
    targetType: 'COLLECTION',
    targetId: collectionId,
    allowComments: true,
    allowDownload: true,
    watermark: `Draft ${asset.id}`,
  };
  const share = (await call(api, 'shares.create', { ...by, body })).body.data;
  const guest = await visit(share, { visitorName: guestName });
  await untilIdle(api);
  expect((await guest.get(asset.id)).body.data.preview).toBe('READY');
  expect((await guest.download(asset.id)).status).toBe(200);
  const comment = { body: `${guestName} was here`, visitorName: guestName };
  const posted = await guest.comment(asset.id, comment);
  expect(posted.status).toBe(201);
  const reply = { body: 'Thank you', parentId: posted.body.data.id };
  const params = { id: asset.id };
  expect((await call(api, 'assetComments.create', { ...by, params, body: reply })).status).toBe(
    201,
  );
  const ofShare = (table: typeof shareTickets | typeof shareViews) =>
    api.db.$count(table, eq(table.shareId, share.id));
  const left = async () => ({
    shares: await api.db.$count(shares, eq(shares.id, share.id)),
    tickets: await ofShare(shareTickets),
    views: await ofShare(shareViews),
    pictures: await api.db.$count(sharePictures, eq(sharePictures.watermark, body.watermark)),
    guestComments: await api.db.$count(
      assetComments,
      and(eq(assetComments.assetId, asset.id), eq(assetComments.guestName, guestName)),
    ),
    comments: await api.db.$count(assetComments, eq(assetComments.assetId, asset.id)),
  });
  await expect
    .poll(left, { timeout: 20_000, interval: 500 })
    .toEqual({ shares: 1, tickets: 1, views: 4, pictures: 1, guestComments: 1, comments: 2 });
  return { asset, share, guest, left };
}

const nothing = {
  shares: 0,
  tickets: 0,
  views: 0,
  pictures: 0,
  guestComments: 0,
  comments: 0,
};

const traces = async () => (await databaseText(api)).match(new RegExp(guestName, 'g'));

test('the deletion of an organization takes what guests left, comments with its bin', async () => {
  const { id: organizationId } = await newTeam(api, user, 'Autumn GmbH');
  const { asset, share, guest, left } = await visited(user, organizationId);
  await untilFollowed(api);
  const deleted = await call(api, 'organizations.remove', {
    token: user.token,
    params: { id: organizationId },
    query: { confirmName: 'Autumn GmbH' },
  });
  expect(deleted.status).toBe(200);
  expect(await left()).toEqual({ ...nothing, guestComments: 1, comments: 2 });
  expect((await open(share)).body.code).toBe('share_not_found');
  for (const { status } of await guest.all(asset.id)) expect(status).toBe(401);
  expect((await guest.comment(asset.id, {})).status).toBe(401);
  api.clock.advance({ seconds: 31 * 24 * 60 * 60 });
  await runJobs(api, ['purge_bin']);
  expect(await left()).toEqual(nothing);
  await untilIdle(api);
  expect(await traces()).toBeNull();
  await expectExactCounts(api);
});

test('a share of an erased account stays with its team, without the name; what was at home is gone with its guests', async () => {
  const [owner, sharer] = [await newUser(api, 'owner'), await newUser(api, 'sharer')];
  const { id: organizationId } = await newTeam(api, owner);
  await joinTeam(api, organizationId, sharer, 'MEMBER');
  await call(api, 'profile.update', {
    token: sharer.token,
    body: { firstName: 'Zebulonia', lastName: 'Quackenbush' },
  });
  const home = await visited(sharer);
  const inTeam = await visited(sharer, organizationId);
  const named = await inTeam.guest.share();
  expect(named.body.data.sharedBy).toBe('Zebulonia Quackenbush');
  await deleteAtOnce(api, sharer);
  await untilFollowed(api);
  await untilIdle(api);

  expect(await home.left()).toEqual(nothing);
  expect((await open(home.share)).body.code).toBe('share_not_found');
  expect((await home.guest.share()).status).toBe(401);

  const shown = await inTeam.guest.share();
  expect([shown.status, shown.body.data.sharedBy]).toEqual([200, 'Deleted person']);
  const reopened = await visit(inTeam.share, { visitorName: guestName });
  const again = await reopened.comment(inTeam.asset.id, { body: 'And now?' });
  expect(again.status).toBe(201);
  const seen = (await reopened.comments(inTeam.asset.id)).body.data.items;
  expect(seen).toMatchObject([
    { author: guestName, isGuest: true },
    { author: 'Deleted person', isGuest: false },
    { isGuest: true, body: 'And now?' },
  ]);
  expect(JSON.stringify([shown.body, seen])).not.toMatch(/Zebulonia|Quackenbush/);
  expect(JSON.stringify([shown.body, seen])).not.toContain(sharer.email);
  await untilFollowed(api);
  await untilIdle(api);

  const ofOwner = { token: owner.token, organizationId, params: { id: inTeam.share.id } };
  const listed = await call(api, 'shares.get', ofOwner);
  expect(listed.body.data).toMatchObject({ status: 'ACTIVE', createdBy: sharer.id });
  expect((await call(api, 'shares.remove', ofOwner)).status).toBe(200);
  expect((await reopened.share()).body.code).toBe('share_not_found');
  await expectExactCounts(api);
});
