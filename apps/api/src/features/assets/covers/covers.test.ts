// @module-tag slow

import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { collections } from '../../../db/generated/schema.ts';
import { newId } from '../../../kernel/ids.ts';
import { thumbnailKeyOf } from '../../../domain/thumbnails.ts';
import { verifyStorage } from '../../../domain/verify/storage.ts';
import { newUser, type TestUser } from '../../../testing/accounts.ts';
import { activitiesOf } from '../../../testing/activities.ts';
import { call, type CallOptions } from '../../../testing/api.ts';
import {
  inspected,
  someFile,
  untilIdle,
  uploadFile,
  type TestFile,
} from '../../../testing/library.ts';
import { joinTeam, newTeamOf } from '../../../testing/organizations.ts';
import { look, photoOfPhone, pixelBomb, someJpeg, somePng } from '../../../testing/pictures.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const api = await setUpApi();
const owner = await newUser(api);
const [member, viewer] = [await newUser(api), await newUser(api)];
const team = await newTeamOf(api, owner);
const { organizationId } = team;
await joinTeam(api, organizationId, member, 'MEMBER');
await joinTeam(api, organizationId, viewer, 'VIEWER');
const as = (user: Pick<TestUser, 'token'>) => ({ ...team, token: user.token });
const newCollection = async (title: string): Promise<string> =>
  (await call(api, 'collections.create', { ...team, body: { title } })).body.data.id;
const collectionId = await newCollection('Films');

const pdf: TestFile = { ...someFile(40, 'plan.pdf'), contentType: 'application/pdf' };
const film: TestFile = { ...someFile(50, 'film.mp4'), contentType: 'video/mp4' };

async function upload(
  file: TestFile,
  { by = owner, assetId = '', into = collectionId } = {},
): Promise<string> {
  const target = { collectionId: into, organizationId, ...(assetId && { assetId }) };
  return (await uploadFile(api, by, file, target)).id;
}

const base64 = async (picture: Promise<Buffer> | Buffer) => (await picture).toString('base64');
const jpeg = () => base64(someJpeg({ width: 800, height: 400 }));
const setCover = (id: string, body: object, options: CallOptions = team) =>
  call(api, 'assets.setCover', { params: { id }, body, ...options });
const get = async (id: string) =>
  (await call(api, 'assets.get', { ...team, params: { id } })).body.data;
const codeOf = ({ status, body }: Awaited<ReturnType<typeof setCover>>) => [status, body.code];

async function thumbnailOf(id: string) {
  const { thumbnailUrl } = await get(id);
  const response = await fetch(thumbnailUrl);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
  return Buffer.from(await response.arrayBuffer());
}

describe('the cover of a PDF or video', () => {
  test.each([
    ['before', pdf],
    ['after', film],
  ])('becomes its thumbnail, set %s the inspection', async (when, file) => {
    const id = await upload(file);
    if (when === 'after') await inspected(api, id);
    const before = await get(id);
    expect(before.thumbnailUrl).toBe(null);
    const { status, body } = await setCover(id, { picture: await jpeg() });
    expect([status, body.message]).toEqual([200, 'Cover set']);
    expect(body.data).toMatchObject({ id, updatedAt: before.updatedAt, width: null, height: null });
    await inspected(api, id);
    const after = await get(id);
    expect(after).toMatchObject({ checksum: expect.any(String), width: null, height: null });
    expect(await look(await thumbnailOf(id))).toMatchObject({
      format: 'webp',
      width: 512,
      height: 256,
      left: 'red',
      right: 'blue',
    });
    // Uploaded, and nothing else.
    expect(await activitiesOf(api, id)).toHaveLength(1);
  });

  test('has no metadata, and stands upright', async () => {
    const id = await upload(pdf);
    await setCover(id, { picture: await base64(photoOfPhone('Secret Camera')) });
    const thumbnail = await thumbnailOf(id);
    expect(thumbnail.includes('Secret Camera')).toBe(false);
    expect(await look(thumbnail)).toMatchObject({ width: 200, height: 400, top: 'red' });
  });

  test('stays when another is sent, one after the other or at once', async () => {
    const id = await upload(film);
    // It adds a checksum, otherwise maybe between the two.
    await inspected(api, id);
    const picture = await jpeg();
    const both = await Promise.all([setCover(id, { picture }), setCover(id, { picture })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const [first, second] = both.map(({ body }) => body.data);
    expect({ ...first, assetLongUrl: '', thumbnailUrl: '' }).toEqual({
      ...second,
      assetLongUrl: '',
      thumbnailUrl: '',
    });
    const shown = await thumbnailOf(id);
    const other = await base64(someJpeg({ width: 100, height: 100 }));
    expect((await setCover(id, { picture: other })).status).toBe(200);
    expect(await thumbnailOf(id)).toEqual(shown);
  });

  test('is of one version: a new one has none, and the old one can still get its own', async () => {
    const id = await upload(pdf);
    await upload(film, { assetId: id });
    expect((await setCover(id, { picture: await jpeg(), versionNumber: 1 })).status).toBe(200);
    expect((await get(id)).thumbnailUrl).toBe(null);
    const params = { id, versionNumber: 1 };
    await call(api, 'assets.restoreVersion', { ...team, params });
    expect(await look(await thumbnailOf(id))).toMatchObject({ width: 512 });
  });

  test('can be set after the asset was moved, and the collection it was uploaded into purged', async () => {
    const into = await newCollection('Inbox');
    const id = await upload(pdf, { into });
    await call(api, 'assets.update', { ...team, params: { id }, body: { collectionId } });
    await call(api, 'collections.remove', { ...team, params: { id: into } });
    const { body } = await call(api, 'assets.emptyBin', { ...team, query: { collectionId: into } });
    expect(body.data).toEqual({ assetCount: 0, collectionCount: 1 });
    await untilIdle(api);
    expect(await api.db.$count(collections, eq(collections.id, into))).toBe(0);
    expect((await setCover(id, { picture: await jpeg() })).status).toBe(200);
  });

  test('refuses no change to one who has read the asset before', async () => {
    const id = await upload(pdf);
    const eTag = (await call(api, 'assets.get', { ...team, params: { id } })).headers.get('etag');
    await setCover(id, { picture: await jpeg() });
    const headers = { 'if-match': String(eTag) };
    const update = { ...team, params: { id }, body: { assetName: 'b.pdf' }, headers };
    expect((await call(api, 'assets.update', update)).status).toBe(200);
  });
});

describe('a cover is refused', () => {
  test('that is no complete JPEG, or too large', async () => {
    const id = await upload(pdf);
    const whole = await someJpeg({ width: 800, height: 400 });
    for (const picture of [
      'AAAA',
      'A',
      await base64(somePng()),
      await base64(whole.subarray(0, whole.length / 2)),
      await base64(someJpeg({ width: 2100, height: 2100 })),
      await base64(pixelBomb({ width: 50_000, height: 50_000 })),
    ]) {
      expect(codeOf(await setCover(id, { picture }))).toEqual([422, 'cover_invalid']);
    }
    for (const picture of ['', 'no base64', 'A'.repeat(400_001), null, 1]) {
      expect(codeOf(await setCover(id, { picture }))).toEqual([400, 'validation_failed']);
    }
    const huge = await setCover(id, { picture: 'A'.repeat(402_000) });
    expect(codeOf(huge)).toEqual([413, 'body_too_large']);
    expect((await get(id)).thumbnailUrl).toBe(null);
  });

  test('for other types, unknown versions and assets, and without the right', async () => {
    const picture = await jpeg();
    const text = await upload({ ...someFile(5, 'notes.txt'), contentType: 'text/plain' });
    const [id, binned, own] = [
      await upload(pdf),
      await upload(pdf),
      await upload(pdf, { by: member }),
    ];
    await call(api, 'assets.remove', { ...team, params: { id: binned } });
    const stranger = { token: (await newUser(api)).token };
    for (const [response, expected] of [
      [await setCover(text, { picture }), 'cover_unsupported'],
      [await setCover(id, { picture, versionNumber: 2 }), 'not_found'],
      [await setCover(newId(), { picture }), 'not_found'],
      [await setCover(binned, { picture }), 'not_found'],
      [await setCover(id, { picture }, stranger), 'not_found'],
      [await setCover(id, { picture }, as(viewer)), 'permission_denied'],
      [await setCover(id, { picture }, as(member)), 'permission_denied'],
    ] as const) {
      expect(response.body.code).toBe(expected);
    }
    expect((await get(id)).thumbnailUrl).toBe(null);
    expect((await setCover(own, { picture }, as(member))).status).toBe(200);
  });

  test('for content of another organization, which would see it too', async () => {
    const home = await call(api, 'collections.create', {
      token: owner.token,
      body: { title: 'Home' },
    });
    const { id } = await uploadFile(api, owner, pdf, { collectionId: home.body.data.id });
    const published = await call(api, 'assets.publish', {
      ...team,
      params: { id },
      body: { collectionId },
    });
    const picture = await jpeg();
    const { id: copy } = published.body.data;
    expect(codeOf(await setCover(copy, { picture }))).toEqual([409, 'cover_unsupported']);
    expect((await setCover(id, { picture }, { token: owner.token })).status).toBe(200);
    // The publisher's own picture of it comes along.
    await untilIdle(api);
    expect((await get(copy)).thumbnailUrl).toEqual(expect.any(String));
    await upload(film, { assetId: copy });
    expect((await setCover(copy, { picture })).status).toBe(200);
  });
});

test('the storage is as the database says, and keeps no cover of a purged asset', async () => {
  const id = await upload(pdf);
  await setCover(id, { picture: await jpeg() });
  const { id: storedObjectId } = await inspected(api, id);
  const isStored = () => api.deps.store.statObject(thumbnailKeyOf(storedObjectId));
  expect(await isStored()).not.toBe(null);
  const remaining = await verifyStorage(api.deps);
  expect(remaining.results.map(({ total }) => total)).toEqual([0, 0, 0]);
  await call(api, 'assets.remove', { ...team, params: { id } });
  expect((await call(api, 'assets.purge', { ...team, params: { id } })).status).toBe(200);
  await untilIdle(api);
  expect(await isStored()).toBe(null);
});
