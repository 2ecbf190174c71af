// @module-tag slow

import { AssetComment, type AssetAnchor } from '@atelier/contract';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { activities, assetComments, assets } from '../../db/generated/schema.ts';
import { eTagOf } from '../../kernel/etag.ts';
import { newId } from '../../kernel/ids.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { someFile, uploadFile } from '../../testing/library.ts';
import { joinTeam, newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';

/** A caller in the organization of the asset. */
interface Member {
  readonly token: string;
  readonly organizationId: string;
}
let id: string;

const people = {} as Record<'ADMIN' | 'MEMBER' | 'VIEWER', TestUser>;

const api = await setUpApi();
const owner = await newUser(api, 'owner');
const team: Member = await newTeamOf(api, owner);
for (const role of ['ADMIN', 'MEMBER', 'VIEWER'] as const) {
  people[role] = await newUser(api, role.toLowerCase());
  await joinTeam(api, team.organizationId, people[role], role);
}
const { body: collection } = await call(api, 'collections.create', {
  ...team,
  body: { title: 'Pictures' },
});
const collectionId: string = collection.data.id;
beforeEach(async () => {
  id = await newAsset();
});

const { organizationId } = team;
const newAsset = async (): Promise<string> =>
  (await uploadFile(api, owner, someFile(3, 'logo.png'), { collectionId, organizationId })).id;
const addVersion = () =>
  uploadFile(api, owner, someFile(5), { collectionId, organizationId, assetId: id });
const as = (user: Pick<TestUser, 'token'>): Member => ({ ...team, token: user.token });
const list = (query: NonNullable<CallOptions['query']> = {}, options: CallOptions = team) =>
  call(api, 'assetComments.list', { params: { id }, query, ...options });
const post = (body: unknown, options: CallOptions = team) =>
  call(api, 'assetComments.create', {
    params: { id },
    body: typeof body === 'string' ? { body } : body,
    ...options,
  });
const about = (commentId: string, body: unknown, options: CallOptions) => ({
  params: { id, commentId },
  ...(body !== undefined && { body }),
  ...options,
});
const edit = (commentId: string, body: string, options: CallOptions = team) =>
  call(api, 'assetComments.update', about(commentId, { body }, options));
const resolve = (commentId: string, isResolved: boolean, options: CallOptions = team) =>
  call(api, 'assetComments.resolve', about(commentId, { isResolved }, options));
const remove = (commentId: string, options: CallOptions = team) =>
  call(api, 'assetComments.remove', about(commentId, undefined, options));
const markers = (query: NonNullable<CallOptions['query']> = {}) =>
  call(api, 'assetComments.markers', { ...team, params: { id }, query });

async function posted(body: unknown = 'The edge is blurred', author: Member = team) {
  const response = await post(body, author);
  expect([response.status, response.body.code]).toEqual([201, undefined]);
  return String(response.body.data.id);
}

async function stored(commentId: string) {
  const [row] = await api.db.select().from(assetComments).where(eq(assetComments.id, commentId));
  return row;
}

/** A comment that a guest of a share link wrote. */
async function guestsComment(): Promise<string> {
  const commentId = newId();
  await api.db.insert(assetComments).values({
    organizationId,
    id: commentId,
    assetId: id,
    versionNumber: 1,
    shareId: newId(),
    guestName: 'Grace',
    body: 'From outside',
    createdAt: api.clock.now(),
  });
  await api.db
    .update(assets)
    .set({ commentCount: 1, openCommentCount: 1 })
    .where(eq(assets.id, id));
  return commentId;
}

const bodiesOf = (items: { body: string }[]) => items.map(({ body }) => body);

async function counts() {
  const { body } = await call(api, 'assets.get', { ...team, params: { id } });
  const { body: page } = await call(api, 'assets.listInCollection', {
    ...team,
    params: { collectionId },
    query: { limit: 3 },
  });
  const { commentCount, openCommentCount } = body.data;
  const shown = page.data.items.find((item: { id: string }) => item.id === id);
  expect(shown).toMatchObject({ commentCount, openCommentCount });
  return [commentCount, openCommentCount];
}

describe('posting a comment on an asset', () => {
  test('responds 201 with comment, version and author, counts it, and records one activity', async () => {
    await addVersion();
    const before = await call(api, 'assets.get', { ...team, params: { id } });
    const anchor = { kind: 'point', x: 0.123_456, y: 1 };
    const { status, body, headers } = await post({ body: ' <b>kept</b> \n', anchor });
    expect(status).toBe(201);
    expect(body).toEqual({
      message: 'Comment posted',
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        assetId: id,
        versionNumber: 2,
        parentId: null,
        author: {
          id: owner.id,
          displayName: owner.email.split('@')[0],
          email: owner.email,
          avatarUrl: null,
        },
        guestName: null,
        body: ' <b>kept</b> \n',
        anchor: { kind: 'point', x: 0.1235, y: 1 },
        isResolved: false,
        resolvedBy: null,
        resolvedAt: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        editedAt: null,
      },
    });
    expect(headers.get('etag')).toBe(eTagOf(AssetComment, body.data));
    expect((await list()).body.data.items).toEqual([body.data]);
    expect(await stored(body.data.id)).toMatchObject({
      organizationId,
      assetId: id,
      versionNumber: 2,
      authorId: owner.id,
      anchor: { kind: 'point', x: 0.1235, y: 1 },
    });
    expect(await activitiesOf(api, body.data.id)).toMatchObject([
      {
        action: 'asset_comment.create',
        actorId: owner.id,
        organizationId,
        resourceType: 'asset_comment',
        resourceName: 'logo.png',
        changes: [],
        metadata: { assetId: id, versionNumber: 2 },
      },
    ]);
    expect(await counts()).toEqual([1, 1]);
    // A comment is no change of the asset: what somebody else is about to change stays changeable.
    const eTag = String(before.headers.get('etag'));
    const rename = { body: { assetName: 'new.png' }, headers: { 'if-match': eTag } };
    const renamed = await call(api, 'assets.update', { ...team, params: { id }, ...rename });
    expect(renamed.status).toBe(200);
  });

  test.each<[string, AssetAnchor, AssetAnchor]>([
    [
      'an area at the edge',
      { kind: 'area', x: 0.333_35, y: 0, width: 0.666_65, height: 1, page: 3 },
      { kind: 'area', x: 0.3334, y: 0, width: 0.6666, height: 1, page: 3 },
    ],
    [
      'parts whose sum exceeds 1 in binary',
      { kind: 'area', x: 0.7, y: 0.9, width: 0.3, height: 0.1 },
      { kind: 'area', x: 0.7, y: 0.9, width: 0.3, height: 0.1 },
    ],
    [
      '500 points',
      { kind: 'path', points: Array.from({ length: 500 }, (_, n) => [n / 500, 0.000_04]) },
      { kind: 'path', points: Array.from({ length: 500 }, (_, n) => [n / 500, 0]) },
    ],
    [
      'a time',
      { kind: 'time', startMs: 0, endMs: 0, x: 0.000_05, y: 0.5 },
      { kind: 'time', startMs: 0, endMs: 0, x: 0.0001, y: 0.5 },
    ],
  ])('at %s keeps it, rounded', async (_, anchor, expected) => {
    const response = await post({ body: 'Here', anchor });
    expect([response.status, response.body.data?.anchor]).toEqual([201, expected]);
    expect((await list()).body.data.items[0].anchor).toEqual(expected);
  });

  test.each<[string, object, (string | number)[]]>([
    ['nothing', {}, ['body']],
    ['an empty text', { body: '' }, ['body']],
    ['blanks', { body: ' \n\t ' }, ['body']],
    ['10,001 characters', { body: 'x'.repeat(10_001) }, ['body']],
    ['NUL', { body: 'a\0b' }, ['body']],
    ['a point beside the picture', { anchor: { kind: 'point', x: 1.0001, y: 0 } }, ['anchor', 'x']],
    ['a negative point', { anchor: { kind: 'point', x: 0, y: -0.1 } }, ['anchor', 'y']],
    [
      'an area that ends outside',
      { anchor: { kind: 'area', x: 0.5, y: 0, width: 0.6, height: 0.5 } },
      ['anchor', 'width'],
    ],
    [
      'an area without height',
      { anchor: { kind: 'area', x: 0, y: 0, width: 1, height: 0 } },
      ['anchor', 'height'],
    ],
    [
      '501 points',
      { anchor: { kind: 'path', points: Array.from({ length: 501 }, () => [0, 0]) } },
      ['anchor', 'points'],
    ],
    ['one point', { anchor: { kind: 'path', points: [[0, 0]] } }, ['anchor', 'points']],
    [
      'a point in space',
      {
        anchor: {
          kind: 'path',
          points: [
            [0, 0, 0],
            [1, 1, 1],
          ],
        },
      },
      ['anchor', 'points', 0],
    ],
    [
      'an end before the start',
      { anchor: { kind: 'time', startMs: 10, endMs: 9 } },
      ['anchor', 'endMs'],
    ],
    ['half a place', { anchor: { kind: 'time', startMs: 10, x: 0.5 } }, ['anchor', 'x']],
    [
      'a fraction of a millisecond',
      { anchor: { kind: 'time', startMs: 0.5 } },
      ['anchor', 'startMs'],
    ],
    ['an unknown anchor', { anchor: { kind: 'circle', x: 0, y: 0 } }, ['anchor', 'kind']],
    ['page 0', { anchor: { kind: 'point', x: 0, y: 0, page: 0 } }, ['anchor', 'page']],
    [
      'an anchor on a reply',
      { parentId: newId(), anchor: { kind: 'point', x: 0, y: 0 } },
      ['anchor'],
    ],
    ['a version on a reply', { parentId: newId(), versionNumber: 1 }, ['versionNumber']],
    ['version 0', { versionNumber: 0 }, ['versionNumber']],
    ['no id', { parentId: 'x' }, ['parentId']],
  ])('with %s is refused and stores nothing', async (name, fields, path) => {
    const body = name === 'nothing' ? {} : { body: 'x', ...fields };
    const response = await post(body);
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
    expect(response.body.errors[0]).toMatchObject({ in: 'body', path });
    expect((await list()).body.data.items).toEqual([]);
    expect(await counts()).toEqual([0, 0]);
  });

  test('on an unknown asset, version or parent, or one in the bin, is a 404 without an activity', async () => {
    const other = await newAsset();
    const elsewhere = await posted('On another', { ...team, params: { id: other } } as Member);
    const binned = await newAsset();
    await call(api, 'assets.remove', { ...team, params: { id: binned } });
    const before = await api.db.$count(activities);
    for (const response of [
      await post('x', { ...team, params: { id: newId() } }),
      await post('x', { ...team, params: { id: binned } }),
      await post({ body: 'x', versionNumber: 2 }),
      await post({ body: 'x', parentId: newId() }),
      await post({ body: 'x', parentId: elsewhere }),
      await list({}, { ...team, params: { id: binned } }),
      await markers({ version: 2 }),
    ]) {
      expect([response.status, response.body.code]).toEqual([404, 'not_found']);
    }
    expect(await api.db.$count(activities)).toBe(before);
    expect(await counts()).toEqual([0, 0]);
  });

  test('with an Idempotency-Key happens once, also with a mention', async () => {
    for (const body of ['once', `once @${people.ADMIN.email}`]) {
      const options = { ...team, headers: { 'idempotency-key': newId() } };
      const first = await post(body, options);
      const again = await post(body, options);
      expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
      expect(await activitiesOf(api, first.body.data.id)).toHaveLength(1);
    }
    expect(await counts()).toEqual([2, 2]);
  });

  test('with a mention records whom, without the author', async () => {
    const commentId = await posted(`@${people.ADMIN.email} and @${owner.email}: see here`);
    const [row] = await activitiesOf(api, commentId);
    expect(row?.metadata).toMatchObject({ mentionedIds: [people.ADMIN.id] });
  });

  test('20 times in parallel counts each', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => post(`${n}`)));
    for (const { status } of responses) expect(status).toBe(201);
    expect(await counts()).toEqual([20, 20]);
  });
});

describe('a reply', () => {
  test('has the version of its comment, and counts as no open one', async () => {
    const parentId = await posted();
    await addVersion();
    const { status, body } = await post({ body: 'A reply', parentId }, as(people.MEMBER));
    expect([status, body.data.parentId, body.data.versionNumber]).toEqual([201, parentId, 1]);
    const [row] = await activitiesOf(api, body.data.id);
    expect(row?.metadata).toEqual({ assetId: id, versionNumber: 1, parentId });
    expect(await counts()).toEqual([2, 1]);
  });

  test('has no replies itself, and is not resolved', async () => {
    const parentId = await posted();
    const reply = await posted({ body: 'A reply', parentId });
    const nested = await post({ body: 'Another', parentId: reply });
    expect([nested.status, nested.body.errors]).toEqual([
      400,
      [
        {
          in: 'body',
          path: ['parentId'],
          code: 'is_reply',
          message: 'Invalid parent: it is a reply itself',
        },
      ],
    ]);
    const resolved = await resolve(reply, true);
    expect([resolved.status, resolved.body.errors[0].code]).toEqual([400, 'is_reply']);
    expect(await counts()).toEqual([2, 1]);
  });

  test('is resolved and deleted with its comment', async () => {
    const parentId = await posted();
    const reply = await posted({ body: 'A reply', parentId }, as(people.MEMBER));
    await resolve(parentId, true);
    const { items } = (await list()).body.data;
    expect(items).toMatchObject([
      { id: parentId, isResolved: true, resolvedBy: { id: owner.id } },
      { id: reply, isResolved: true, resolvedBy: { id: owner.id } },
    ]);
    expect((await remove(parentId)).status).toBe(200);
    expect([await stored(reply), await stored(parentId)]).toEqual([undefined, undefined]);
    expect((await activitiesOf(api, parentId)).at(-1)).toMatchObject({
      action: 'asset_comment.delete',
      metadata: { assetId: id, versionNumber: 1, replyCount: 1 },
    });
    expect(await counts()).toEqual([0, 0]);
  });

  test('posted while its comment is deleted is stored or a 404, and none is left behind', async () => {
    for (let round = 0; round < 5; round += 1) {
      const parentId = await posted();
      const [deleted, ...replies] = await Promise.all([
        remove(parentId),
        ...Array.from({ length: 6 }, (_, n) => post({ body: `${n}`, parentId })),
      ]);
      expect(deleted.status).toBe(200);
      for (const { status } of replies) expect([201, 404]).toContain(status);
      expect(await counts()).toEqual([0, 0]);
      expect((await list()).body.data.items).toEqual([]);
    }
  });
});

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

describe('markers', () => {
  test('are the comments on times of a version, by time, with the timecode of the frame rate', async () => {
    const at = (startMs: number, more: object = {}) => ({ kind: 'time', startMs, ...more });
    await posted({ body: 'Late', anchor: at(3_723_500) });
    const early = await posted(
      { body: 'Early', anchor: at(12_500, { endMs: 14_000 }) },
      as(people.MEMBER),
    );
    await posted({ body: 'A point', anchor: { kind: 'point', x: 0, y: 0 } });
    await posted({ body: 'A reply', parentId: early });
    await resolve(early, true);
    await addVersion();
    expect((await markers()).body.data).toEqual({ items: [], isComplete: true });
    const { status, body } = await markers({ version: 1, frameRate: 25 });
    expect([status, body.message]).toEqual([200, 'Markers retrieved']);
    expect(body.data).toEqual({
      items: [
        {
          startMs: 12_500,
          endMs: 14_000,
          timecode: '00:00:12:12',
          text: 'Early',
          author: people.MEMBER.email.split('@')[0],
          isResolved: true,
        },
        {
          startMs: 3_723_500,
          endMs: 3_723_500,
          timecode: '01:02:03:12',
          text: 'Late',
          author: owner.email.split('@')[0],
          isResolved: false,
        },
      ],
      isComplete: true,
    });
    const [plain] = (await markers({ version: 1 })).body.data.items;
    expect(plain.timecode).toBe('00:00:12.500');
    for (const frameRate of ['0', '241', '-25', '25fps', '1e3', '']) {
      const refused = await markers({ frameRate });
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, ['frameRate']]);
    }
  });

  test('are at most 1,000, the earliest, with short texts', async () => {
    const rows = Array.from({ length: 1_001 }, (_, n) => ({
      organizationId,
      id: newId(),
      assetId: id,
      versionNumber: 1,
      authorId: owner.id,
      body: '🦊'.repeat(600),
      anchor: { kind: 'time' as const, startMs: 1_000_000 - n },
      createdAt: api.clock.now(),
    }));
    await api.db.insert(assetComments).values(rows);
    const { items, isComplete } = (await markers()).body.data;
    expect([items.length, items[0].startMs, isComplete]).toEqual([1_000, 999_000, false]);
    expect(items[0].text).toBe('🦊'.repeat(500));
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
