// @module-tag slow

import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { assetComments } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { newUser } from '../../testing/accounts.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { call } from '../../testing/api.ts';
import { setUpAssetComments } from '../../testing/asset-comments.ts';

const commenting = await setUpAssetComments();
const {
  addVersion,
  api,
  as,
  counts,
  edit,
  guestsComment,
  list,
  newAsset,
  owner,
  people,
  post,
  posted,
  remove,
  resolve,
  team,
} = commenting;
const { organizationId } = team;

let id: string;
beforeEach(async () => {
  id = await newAsset();
  commenting.subject.id = id;
});

const bodiesOf = (items: { body: string }[]) => items.map(({ body }) => body);

describe('listing comments on an asset', () => {
  test('goes oldest first, of all versions or one, open or resolved', async () => {
    const first = await posted('one');
    const done = await posted('two', as(people.MEMBER));
    await posted({ body: 'reply to two', parentId: done });
    await addVersion();
    await posted('three');
    await posted({ body: 'four', versionNumber: 1 });
    await posted({ body: 'reply to one', parentId: first });
    await resolve(done, true);
    const { status, body } = await list({}, as(people.VIEWER));
    expect([status, body.message]).toEqual([200, 'Comments retrieved']);
    const all = ['one', 'two', 'reply to two', 'three', 'four', 'reply to one'];
    expect(bodiesOf(body.data.items)).toEqual(all);
    expect(body.data.pagination.total).toBe(6);
    for (const [query, expected] of [
      [{ version: 1 }, all.filter((text) => text !== 'three')],
      [{ version: 2 }, ['three']],
      [{ version: 3 }, []],
      [{ isResolved: true }, ['two', 'reply to two']],
      [{ isResolved: false }, ['one', 'three', 'four', 'reply to one']],
      [{ isResolved: false, version: 2 }, ['three']],
    ] as const) {
      const page = (await list(query)).body.data;
      expect([bodiesOf(page.items), page.pagination.total]).toEqual([expected, expected.length]);
    }
    expect(await counts()).toEqual([6, 3]);
  });

  test('by cursor lists every comment once, also with equal timestamps and new ones', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, (_, n) => posted(`${n}`)));
    await api.db
      .update(assetComments)
      .set({ createdAt: new Date('2026-01-01T00:00:00Z') })
      .where(eq(assetComments.assetId, id));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await list({ limit: 2, ...(cursor && { cursor }) });
      seen.push(...body.data.items.map((item: { id: string }) => item.id));
      cursor = body.data.pagination.nextCursor;
      if (seen.length === 2) await posted('in between');
    } while (cursor !== undefined);
    expect(seen.filter((one) => ids.includes(one))).toEqual(ids.toSorted());
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('refuses the cursor of another asset, of another filter, and a forged one', async () => {
    await posted('one');
    await posted('two');
    const { nextCursor } = (await list({ limit: 1 })).body.data.pagination;
    const other = { ...team, params: { id: await newAsset() } };
    for (const { status } of [
      await list({ cursor: nextCursor, version: 1 }),
      await list({ cursor: nextCursor, isResolved: false }),
      await list({ cursor: nextCursor }, other),
      await list({ cursor: `${nextCursor}x` }),
      await list({ isResolved: 'yes' }),
      await list({ version: 0 }),
    ]) {
      expect(status).toBe(400);
    }
  });
});

describe('changing a comment on an asset', () => {
  test('edits its text, for its author only, and records both', async () => {
    const commentId = await posted('before', as(people.MEMBER));
    for (const other of [owner, people.ADMIN, people.VIEWER]) {
      const { status, body } = await edit(commentId, 'yours', as(other));
      expect([status, body.code]).toEqual([403, 'permission_denied']);
    }
    expect((await edit(commentId, 'before', as(people.MEMBER))).body.data.editedAt).toBeNull();
    const mention = `after @${people.ADMIN.email}`;
    const { status, body } = await edit(commentId, mention, as(people.MEMBER));
    expect([status, body.message, body.data.body]).toEqual([200, 'Comment updated', mention]);
    expect((await list()).body.data.items).toEqual([body.data]);
    expect((await activitiesOf(api, commentId)).slice(1)).toMatchObject([
      {
        action: 'asset_comment.update',
        changes: [{ field: 'body', from: 'before', to: mention }],
        metadata: { assetId: id, mentionedIds: [people.ADMIN.id] },
      },
    ]);
  });

  test('resolves and reopens it: sets the state, and records only a change', async () => {
    const commentId = await posted();
    const first = await resolve(commentId, true, as(people.MEMBER));
    expect(first.body.data).toMatchObject({
      isResolved: true,
      resolvedBy: { id: people.MEMBER.id },
      resolvedAt: expect.stringMatching(/Z$/),
    });
    expect((await resolve(commentId, true)).body.data).toEqual(first.body.data);
    expect(await counts()).toEqual([1, 0]);
    const reopened = await resolve(commentId, false);
    expect(reopened.body.data).toMatchObject({ isResolved: false, resolvedBy: null });
    expect((await list()).body.data.items).toEqual([reopened.body.data]);
    expect(await counts()).toEqual([1, 1]);
    const actions = (await activitiesOf(api, commentId)).map(({ action }) => action);
    expect(actions).toEqual([
      'asset_comment.create',
      'asset_comment.resolve',
      'asset_comment.reopen',
    ]);
    expect((await resolve(commentId, true, as(people.VIEWER))).status).toBe(403);
  });

  test('20 times in parallel ends in one state, and counts it once', async () => {
    const commentId = await posted();
    const responses = await Promise.all(Array.from({ length: 20 }, () => resolve(commentId, true)));
    for (const { status, body } of responses)
      expect([status, body.data.isResolved]).toEqual([200, true]);
    expect(await counts()).toEqual([1, 0]);
    expect(await activitiesOf(api, commentId)).toHaveLength(2);
  });

  test('with If-Match changes only what the caller has seen', async () => {
    const { body, headers } = await post('seen');
    const commentId = body.data.id;
    const matching = { ...team, headers: { 'if-match': String(headers.get('etag')) } };
    const responses = await Promise.all([
      edit(commentId, 'one', matching),
      resolve(commentId, true, matching),
    ]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    expect((await remove(commentId, matching)).status).toBe(412);
  });
});

describe('deleting a comment on an asset', () => {
  test('is allowed to its author, an admin and an owner, and keeps no text', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => posted('a secret', as(people.MEMBER))));
    const adminsOwn = await posted('x', as(people.ADMIN));
    for (const other of [people.MEMBER, people.VIEWER]) {
      expect((await remove(adminsOwn, as(other))).status).toBe(403);
    }
    for (const [n, user] of [people.MEMBER, people.ADMIN, owner].entries()) {
      const commentId = ids[n] ?? '';
      const { status, body } = await remove(commentId, as(user));
      expect([status, body]).toEqual([
        200,
        { message: 'Comment deleted', data: { id: commentId } },
      ]);
      expect(JSON.stringify(await activitiesOf(api, commentId))).not.toContain('a secret');
      for (const response of [
        await remove(commentId),
        await edit(commentId, 'x'),
        await resolve(commentId, true),
      ]) {
        expect(response.status).toBe(404);
      }
    }
    expect(await counts()).toEqual([1, 1]);
  });

  test('20 times in parallel happens once', async () => {
    const commentId = await posted();
    const responses = await Promise.all(Array.from({ length: 20 }, () => remove(commentId)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await counts()).toEqual([0, 0]);
  });
});

describe('a comment of a guest', () => {
  test('shows the name; members resolve and delete it, and no member edits it', async () => {
    const commentId = await guestsComment();
    const [item] = (await list()).body.data.items;
    expect(item).toMatchObject({ id: commentId, author: null, guestName: 'Grace' });
    expect((await edit(commentId, 'x')).status).toBe(403);
    expect((await resolve(commentId, true, as(people.MEMBER))).status).toBe(200);
    expect((await remove(commentId, as(people.VIEWER))).status).toBe(403);
    expect((await remove(commentId, as(people.MEMBER))).status).toBe(200);
    expect(await counts()).toEqual([0, 0]);
  });

  test('needs a share link and a name, and has no author', async () => {
    const row = {
      organizationId,
      assetId: id,
      versionNumber: 1,
      body: 'x',
      createdAt: api.clock.now(),
    };
    for (const wrong of [
      {},
      { shareId: newId() },
      { guestName: 'Grace' },
      { authorId: owner.id, guestName: 'Grace' },
      { authorId: owner.id, shareId: newId(), guestName: 'Grace' },
    ]) {
      await expect(
        api.db.insert(assetComments).values({ ...row, id: newId(), ...wrong }),
      ).rejects.toMatchObject({ cause: { constraint_name: 'asset_comments_author_or_guest' } });
    }
  });
});

describe('a comment on an asset of another organization', () => {
  test('is a 404 for every operation', async () => {
    const commentId = await posted();
    const stranger = { token: (await newUser(api)).token };
    for (const outsider of [stranger, { token: owner.token }]) {
      for (const response of [
        await list({}, outsider),
        await post('x', outsider),
        await edit(commentId, 'x', outsider),
        await resolve(commentId, true, outsider),
        await remove(commentId, outsider),
        await call(api, 'assetComments.markers', { ...outsider, params: { id } }),
      ]) {
        expect([response.status, response.body.code]).toEqual([404, 'not_found']);
      }
    }
    const viewer = await post('x', as(people.VIEWER));
    expect([viewer.status, viewer.body.code]).toEqual([403, 'permission_denied']);
  });
});
