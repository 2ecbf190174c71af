// @module-tag slow

import { AssetComment, type AssetAnchor } from '@atelier/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { activities } from '../../db/generated/schema.ts';
import { eTagOf } from '../../kernel/etag.ts';
import { newId } from '../../kernel/ids.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { call } from '../../testing/api.ts';
import { setUpAssetComments } from '../../testing/asset-comments.ts';

const commenting = await setUpAssetComments();
const {
  addVersion,
  api,
  as,
  counts,
  list,
  markers,
  newAsset,
  owner,
  people,
  post,
  posted,
  remove,
  resolve,
  stored,
  team,
} = commenting;
const { organizationId } = team;

let id: string;
beforeEach(async () => {
  id = await newAsset();
  commenting.subject.id = id;
});

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
    // A comment is no change of the asset: what another member is about to change stays changeable.
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
    const elsewhere = await posted('On another', { ...team, params: { id: other } } as typeof team);
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
