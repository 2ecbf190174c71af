// @module-tag slow

import { sharedAddressSeconds } from '@atelier/contract';
import { expect, test } from 'vitest';
import { call } from '../../../testing/api.ts';
import { expectExactCounts } from '../../../testing/kept-counts.ts';
import { untilIdle } from '../../../testing/library.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';
import { visitsOf } from './testing.ts';

const { api, user } = await setUpApiWithUser();
const { team, open, visit } = visitsOf(api, user);

type Team = Awaited<ReturnType<typeof team>>;
type Visit = Awaited<ReturnType<typeof visit>>;

const statusOf = async ({ by }: Team, { id }: { id: string }) =>
  (await call(api, 'shares.get', { ...by, params: { id } })).body.data.status;
const remove = async ({ by }: Team, group: 'assets' | 'collections', id: string) =>
  expect((await call(api, `${group}.remove`, { ...by, params: { id } })).status).toBe(200);

/** What visitors are told by a link and by a ticket, without the ids of requests. */
async function toldBy(share: { url: string }, visited: Visit, assetId: string) {
  const responses = [
    await open(share),
    ...(await visited.all(assetId)),
    await visited.comments(assetId),
    await visited.comment(assetId, {}),
  ];
  return [
    ...new Set(
      responses.map(({ status, body }) => JSON.stringify([status, { ...body, requestId: null }])),
    ),
  ];
}

/** What a link of no share is told. */
async function toldOfNone() {
  const { status, body } = await open({ url: `#atls_${'x'.repeat(43)}` });
  return [JSON.stringify([status, { ...body, requestId: null }])];
}

test('a share of an asset that is deleted for good is gone, in the bin and after it', async () => {
  const context = await team();
  const asset = await context.newAsset();
  const conditions = { allowDownload: true, allowComments: true };
  const target = { targetType: 'ASSET', targetId: asset.id };
  const share = await context.newShare({ ...target, ...conditions });
  const pinned = await context.newShare({ ...target, ...conditions, versions: 'PINNED' });
  const visits = [
    [share, await visit(share)],
    [pinned, await visit(pinned)],
  ] as const;
  for (const [, visited] of visits) {
    expect((await visited.comment(asset.id, {})).status).toBe(201);
  }
  const none = await toldOfNone();
  const expectGone = async () => {
    for (const [shared, visited] of visits) {
      expect(await statusOf(context, shared)).toBe('TARGET_GONE');
      expect(await toldBy(shared, visited, asset.id)).toEqual(none);
    }
  };
  await remove(context, 'assets', asset.id);
  await expectGone();
  const restored = await call(api, 'assets.restore', { ...context.by, params: { id: asset.id } });
  expect(restored.status).toBe(200);
  for (const [shared, visited] of visits) {
    expect(await statusOf(context, shared)).toBe('ACTIVE');
    expect((await visited.get(asset.id)).status).toBe(200);
  }
  await remove(context, 'assets', asset.id);
  const purge = { ...context.by, params: { id: asset.id } };
  expect((await call(api, 'assets.purge', purge)).status).toBe(200);
  await expectGone();
  await untilIdle(api);
  await expectGone();
  const { body } = await call(api, 'shares.get', { ...context.by, params: { id: share.id } });
  expect(body.data.target).toEqual({ type: 'ASSET', id: asset.id, title: null });
  await expectExactCounts(api);
});

test('a share of a collection loses what is deleted for good, and is gone with the collection', async () => {
  const context = await team();
  const [gone, kept] = [await context.newAsset(), await context.newAsset()];
  const conditions = { allowDownload: true, allowComments: true };
  const share = await context.newShare(conditions);
  const pinned = await context.newShare({ ...conditions, versions: 'PINNED' });
  const visits = [
    [share, await visit(share)],
    [pinned, await visit(pinned)],
  ] as const;
  await remove(context, 'assets', gone.id);
  const purge = { ...context.by, params: { id: gone.id } };
  expect((await call(api, 'assets.purge', purge)).status).toBe(200);
  await untilIdle(api);
  for (const [shared, visited] of visits) {
    expect(await statusOf(context, shared)).toBe('ACTIVE');
    expect((await visited.list()).items).toMatchObject([{ id: kept.id }]);
    expect((await visited.get(gone.id)).body.code).toBe('share_not_found');
    expect((await visited.download(kept.id)).status).toBe(200);
  }
  await remove(context, 'collections', context.collectionId);
  const all = { ...context.by, query: { scope: 'organization' } };
  expect((await call(api, 'assets.emptyBin', all)).status).toBe(200);
  await untilIdle(api);
  const none = await toldOfNone();
  for (const [shared, visited] of visits) {
    expect(await statusOf(context, shared)).toBe('TARGET_GONE');
    expect(await toldBy(shared, visited, kept.id)).toEqual(none);
  }
  await expectExactCounts(api);
});

test('a share that ends between two downloads gives no further address, and those before are short-lived', async () => {
  const context = await team();
  const assets = [];
  for (let count = 0; count < 6; count += 1) assets.push(await context.newAsset());
  const share = await context.newShare({ allowDownload: true });
  const visited = await visit(share);
  const outcomes: string[] = [];
  for (const [index, { id }] of assets.entries()) {
    if (index === 3) {
      const ended = { ...context.by, params: { id: share.id } };
      expect((await call(api, 'shares.remove', ended)).status).toBe(200);
    }
    const { status, body } = await visited.download(id);
    outcomes.push(status === 200 ? 'address' : JSON.stringify([status, body.code]));
    if (status !== 200) {
      expect(JSON.stringify(body)).not.toContain('X-Amz');
      continue;
    }
    const { url, expiresAt } = body.data;
    const seconds = Number(new URL(url).searchParams.get('X-Amz-Expires'));
    expect(seconds).toBe(sharedAddressSeconds);
    expect(seconds).toBeLessThanOrEqual(5 * 60);
    const leftMs = Date.parse(expiresAt) - api.clock.now().getTime();
    expect(leftMs).toBeLessThanOrEqual(5 * 60 * 1000);
  }
  const refused = JSON.stringify([404, 'share_not_found']);
  expect(outcomes).toEqual(['address', 'address', 'address', refused, refused, refused]);
  const [first] = assets;
  expect(await toldBy(share, visited, String(first?.id))).toEqual(await toldOfNone());
});
