// @module-tag slow

import type { SharedComment } from '@atelier/contract';
import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { activities, assetComments, assets, shares } from '../../../db/generated/schema.ts';
import { newUser } from '../../../testing/accounts.ts';
import { call } from '../../../testing/api.ts';
import { expectExactCounts } from '../../../testing/kept-counts.ts';
import { someFile, uploadFile } from '../../../testing/library.ts';
import { joinTeam, waitingIn } from '../../../testing/organizations.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';
import { newId } from '../../../kernel/ids.ts';
import { visitsOf } from '../visits/testing.ts';

const { api, user } = await setUpApiWithUser();
const { team, visit } = visitsOf(api, user);

/** A share that takes comments, of a collection with two files. */
async function commented(conditions: object = {}) {
  const context = await team();
  const [asset, neighbour] = [await context.newAsset(), await context.newAsset()];
  const share = await context.newShare({ allowComments: true, ...conditions });
  const of = (id = asset.id) => ({ ...context.by, params: { id } });
  const post = (body: object, as: object = {}) =>
    call(api, 'assetComments.create', { ...of(), ...as, body });
  const listed = async () => (await call(api, 'assetComments.list', of())).body.data.items;
  const counts = async () => {
    const { body } = await call(api, 'assets.get', of());
    return [body.data.commentCount, body.data.openCommentCount];
  };
  return { ...context, asset, neighbour, share, of, post, listed, counts };
}

const bodiesOf = ({ body }: { body: { data: { items: { body: string }[] } } }) =>
  body.data.items.map((item) => item.body);

describe('a comment of a guest', () => {
  test('has the name as text, belongs to the version that is shown, and counts', async () => {
    const { asset, share, listed, counts, organizationId } = await commented();
    const guest = await visit(share, { visitorName: 'Someone else' });
    const anchor = { kind: 'area', x: 0.123456, y: 0, width: 0.5, height: 1 };
    const posted = await guest.comment(asset.id, {
      body: '<b>Blurred</b> @owner',
      visitorName: ' <i>Grace</i> ',
      anchor,
    });
    expect([posted.status, posted.body.message]).toEqual([201, 'Comment posted']);
    expect(posted.body.data).toEqual({
      id: expect.any(String),
      parentId: null,
      author: '<i>Grace</i>',
      isGuest: true,
      body: '<b>Blurred</b> @owner',
      anchor: { ...anchor, x: 0.1235 },
      isOnShownVersion: true,
      isResolved: false,
      createdAt: expect.any(String),
      editedAt: null,
    });
    expect(await listed()).toMatchObject([
      { author: null, guestName: '<i>Grace</i>', versionNumber: 1, body: '<b>Blurred</b> @owner' },
    ]);
    expect(await counts()).toEqual([1, 1]);
    const ofComment = and(
      eq(activities.organizationId, organizationId),
      eq(activities.resourceId, posted.body.data.id),
    );
    const recorded = await api.db.select().from(activities).where(ofComment);
    expect(recorded).toMatchObject([
      {
        action: 'asset_comment.create',
        actorId: null,
        resourceName: asset.assetName,
        metadata: { assetId: asset.id, versionNumber: 1, shareId: share.id, sharerId: user.id },
      },
    ]);
    expect(JSON.stringify(recorded)).not.toContain('Grace');
    await expectExactCounts(api);
  });

  test('mentions no one', async () => {
    const { asset, share, organizationId } = await commented();
    const guest = await visit(share);
    const posted = await guest.comment(asset.id, { body: `@${user.email} look here` });
    const [row] = await api.db
      .select({ metadata: activities.metadata })
      .from(activities)
      .where(
        and(
          eq(activities.organizationId, organizationId),
          eq(activities.resourceId, posted.body.data.id),
        ),
      );
    expect(row?.metadata).not.toHaveProperty('mentionedIds');
  });

  test('stays on its version after another one', async () => {
    const { asset, share, place, listed } = await commented();
    const guest = await visit(share);
    await guest.comment(asset.id, { body: 'on the first' });
    await uploadFile(api, user, someFile(99), { ...place, assetId: asset.id });
    await guest.comment(asset.id, { body: 'on the second' });
    const seen = (await guest.comments(asset.id)).body.data.items;
    expect(seen).toMatchObject([
      { body: 'on the first', isOnShownVersion: false },
      { body: 'on the second', isOnShownVersion: true },
    ]);
    expect(await listed()).toMatchObject([{ versionNumber: 1 }, { versionNumber: 2 }]);
    expect(JSON.stringify(seen)).not.toContain('versionNumber');
  });

  test('belongs to the pinned version where versions are pinned', async () => {
    const { asset, share, place, listed } = await commented({ versions: 'PINNED' });
    await uploadFile(api, user, someFile(99), { ...place, assetId: asset.id });
    const guest = await visit(share);
    const posted = await guest.comment(asset.id, {});
    expect(posted.body.data.isOnShownVersion).toBe(true);
    expect(await listed()).toMatchObject([{ versionNumber: 1 }]);
  });

  test('is resolved and deleted by members, with its replies, and edited by none', async () => {
    const { asset, share, post, counts, by, organizationId } = await commented();
    const [first, second] = [await visit(share), await visit(share)];
    const posted = await first.comment(asset.id, {});
    const parentId = posted.body.data.id;
    const params = { id: asset.id, commentId: parentId };
    await post({ body: 'Sharper in the next one', parentId });
    await second.comment(asset.id, { body: 'Thanks', parentId, visitorName: 'Linus' });
    expect(await counts()).toEqual([3, 1]);
    const resolved = { ...by, params, body: { isResolved: true } };
    expect((await call(api, 'assetComments.resolve', resolved)).status).toBe(200);
    const seen = (await first.comments(asset.id)).body.data.items;
    expect(seen.map((item: SharedComment) => [item.author, item.isGuest, item.isResolved])).toEqual(
      [
        ['Grace', true, true],
        [expect.any(String), false, true],
        ['Linus', true, true],
      ],
    );
    const edit = { ...by, params, body: { body: 'Changed' } };
    expect((await call(api, 'assetComments.update', edit)).status).toBe(403);
    const member = await newUser(api, 'member');
    await joinTeam(api, organizationId, member, 'MEMBER');
    const removed = { token: member.token, organizationId, params };
    expect((await call(api, 'assetComments.remove', removed)).status).toBe(200);
    expect(bodiesOf(await first.comments(asset.id))).toEqual([]);
    expect(await counts()).toEqual([0, 0]);
    await expectExactCounts(api);
  });
});

describe('visitors of a share', () => {
  test('see what was written in it and the replies, and nothing else, by cursor', async () => {
    const { asset, share, newShare, post, neighbour } = await commented();
    const other = await visit(await newShare({ allowComments: true }));
    const guest = await visit(share);
    const internal = (await post({ body: 'internal' })).body.data.id;
    await post({ body: 'internal reply', parentId: internal });
    const elsewhere = (await other.comment(asset.id, { body: 'elsewhere' })).body.data.id;
    await post({ body: 'reply elsewhere', parentId: elsewhere });
    const own = (await guest.comment(asset.id, { body: 'own' })).body.data.id;
    await guest.comment(neighbour.id, { body: 'on the neighbour' });
    await post({ body: 'reply to own', parentId: own });
    expect(bodiesOf(await guest.comments(asset.id))).toEqual(['own', 'reply to own']);
    expect(bodiesOf(await other.comments(asset.id))).toEqual(['elsewhere', 'reply elsewhere']);
    const page = await guest.comments(asset.id, { limit: 1 });
    const { nextCursor, total } = page.body.data.pagination;
    expect([bodiesOf(page), total]).toEqual([['own'], 2]);
    const rest = await guest.comments(asset.id, { limit: 1, cursor: nextCursor });
    expect(bodiesOf(rest)).toEqual(['reply to own']);
    for (const text of [page.text, rest.text]) {
      for (const secret of [user.id, user.email, share.id]) expect(text).not.toContain(secret);
    }
    for (const parentId of [internal, elsewhere, newId()]) {
      const refused = await guest.comment(asset.id, { parentId });
      expect([refused.status, refused.body.code]).toEqual([404, 'share_not_found']);
    }
    const onOther = await guest.comment(neighbour.id, { parentId: own });
    expect(onOther.body.code).toBe('share_not_found');
  });

  test('reach no asset that the share does not show', async () => {
    const { asset, neighbour, newShare } = await commented();
    const target = { targetType: 'ASSET', targetId: asset.id, allowComments: true };
    const guest = await visit(await newShare(target));
    const foreign = await commented();
    for (const id of [neighbour.id, foreign.asset.id, newId()]) {
      for (const response of [await guest.comments(id), await guest.comment(id, {})]) {
        expect([response.status, response.body.code]).toEqual([404, 'share_not_found']);
      }
    }
    expect(await foreign.counts()).toEqual([0, 0]);
  });

  test('are refused where the share takes no comments, from the next request', async () => {
    const { asset, share, change } = await commented();
    const guest = await visit(share);
    await guest.comment(asset.id, {});
    await change(share.id, { allowComments: false });
    for (const response of [await guest.comments(asset.id), await guest.comment(asset.id, {})]) {
      expect([response.status, response.body.code]).toEqual([403, 'share_comments_off']);
    }
    await change(share.id, { allowComments: true });
    expect(bodiesOf(await guest.comments(asset.id))).toHaveLength(1);
  });

  test.each([
    ['a name with a direction mark', { visitorName: 'Grace \u202eecarG' }],
    ['a name with an isolate', { visitorName: '\u2066Grace\u2069' }],
    ['a name of two lines', { visitorName: 'Grace\nHopper' }],
    ['a name that cannot be seen', { visitorName: '\u200b' }],
    ['a blank name', { visitorName: '   ' }],
    ['no name', { visitorName: undefined }],
    ['a name of 61 characters', { visitorName: 'x'.repeat(61) }],
    ['a blank text', { body: ' \n ' }],
    ['a text of 10,001 characters', { body: 'x'.repeat(10_001) }],
    ['an area outside', { anchor: { kind: 'area', x: 0.6, y: 0, width: 0.5, height: 0.5 } }],
    ['a point outside', { anchor: { kind: 'point', x: 1.1, y: 0 } }],
    [
      '501 points',
      { anchor: { kind: 'path', points: Array.from({ length: 501 }, () => [0.1, 0.1]) } },
    ],
    ['an end before the start', { anchor: { kind: 'time', startMs: 2, endMs: 1 } }],
    ['an anchor on a reply', { parentId: newId(), anchor: { kind: 'point', x: 0, y: 0 } }],
  ])('cannot post %s', async (_, body) => {
    const { asset, share, counts } = await shared;
    const refused = await (await visit(share)).comment(asset.id, body);
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed']);
    expect(await counts()).toEqual([0, 0]);
  });
  const shared = commented();

  test('keep names with joiners, marks of letters and emoji', async () => {
    const { asset, share } = await commented();
    const guest = await visit(share);
    for (const visitorName of ['شیما\u200cجان', 'Zoë Ünal', '👩\u200d🚀']) {
      const posted = await guest.comment(asset.id, { visitorName });
      expect([posted.status, posted.body.data?.author]).toEqual([201, visitorName]);
    }
  });

  test('cannot reply to a reply', async () => {
    const { asset, share } = await commented();
    const guest = await visit(share);
    const parentId = (await guest.comment(asset.id, {})).body.data.id;
    const reply = (await guest.comment(asset.id, { parentId })).body.data.id;
    const refused = await guest.comment(asset.id, { parentId: reply });
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ code: 'is_reply' }]]);
  });

  test('post once under an Idempotency-Key, also with another ticket of the share', async () => {
    const { asset, share, counts } = await commented();
    const key = { 'idempotency-key': newId() };
    const first = await (await visit(share)).comment(asset.id, {}, key);
    const again = await (await visit(share)).comment(asset.id, {}, key);
    expect([again.status, again.text]).toEqual([201, first.text]);
    const other = await (await visit(share)).comment(asset.id, { body: 'Other' }, key);
    expect(other.body.code).toBe('idempotency_key_reused');
    expect(await counts()).toEqual([1, 1]);
    const elsewhere = await commented();
    const posted = await (await visit(elsewhere.share)).comment(elsewhere.asset.id, {}, key);
    expect(posted.status).toBe(201);
  });

  test('post nothing after the share ended, also while it ends', async () => {
    const { asset, share, by, counts } = await commented();
    const guest = await visit(share);
    const posting = Array.from({ length: 8 }, () => guest.comment(asset.id, {}));
    const ended = call(api, 'shares.remove', { ...by, params: { id: share.id } });
    const statuses = (await Promise.all(posting)).map(({ status }) => status);
    expect((await ended).status).toBe(200);
    expect(statuses.filter((status) => status !== 201 && status !== 404)).toEqual([]);
    const posted = statuses.filter((status) => status === 201).length;
    expect(await counts()).toEqual([posted, posted]);
    for (const response of [await guest.comments(asset.id), await guest.comment(asset.id, {})]) {
      expect(response.body.code).toBe('share_not_found');
    }
    const [row] = await api.db.select().from(shares).where(eq(shares.id, share.id));
    const late = await api.db
      .select({ createdAt: assetComments.createdAt })
      .from(assetComments)
      .where(eq(assetComments.shareId, share.id));
    expect(late.filter(({ createdAt }) => row?.revokedAt && createdAt > row.revokedAt)).toEqual([]);
  });

  test('post nothing while the organization is deleted, and do not hinder it', async () => {
    const { asset, share, by } = await commented();
    const guest = await visit(share);
    const { underWay } = await api.db.transaction(async (tx) => {
      await tx.select().from(assets).where(eq(assets.id, asset.id)).for('update');
      const until = async (count: number) =>
        expect.poll(() => waitingIn(tx), { timeout: 10_000, interval: 5 }).toBe(count);
      const deleted = call(api, 'organizations.remove', {
        token: by.token,
        params: { id: by.organizationId },
        query: { confirmName: 'Analytical Engines' },
      });
      await until(1);
      const posted = guest.comment(asset.id, {});
      await until(2);
      // Wrapped, so that the transaction ends before the requests do.
      return { underWay: Promise.all([deleted, posted]) };
    });
    expect((await underWay).map(({ status }) => status)).toEqual([200, 401]);
  });

  test('are seen commenting in the view log', async () => {
    const { asset, share, by } = await commented();
    await (await visit(share)).comment(asset.id, { visitorName: 'Linus' });
    const views = async () => {
      const { body } = await call(api, 'shares.views', { ...by, params: { id: share.id } });
      return body.data.items.filter(({ action }: { action: string }) => action === 'COMMENTED');
    };
    await expect
      .poll(views, { timeout: 20_000, interval: 500 })
      .toMatchObject([{ asset: { id: asset.id }, visitorName: 'Linus' }]);
  });
});

test('a visitor name of an opening takes no direction marks either', async () => {
  const { open } = visitsOf(api, user);
  const { share } = await commented();
  const refused = await open(share, { visitorName: 'Grace \u202e' });
  expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed']);
});
