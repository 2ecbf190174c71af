import type { OperationId } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '../kernel/ids.ts';
import { newUser } from '../testing/accounts.ts';
import { call, send, type CallOptions } from '../testing/api.ts';
import { inspected, newCollection, someFile, uploadFile } from '../testing/library.ts';
import { setUpApiWithUser } from '../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();
const collectionId = await newCollection(api, user);
const assetId = (await uploadFile(api, user, someFile(10), { collectionId })).id;
await inspected(api, assetId);

const as = (id: OperationId, options: CallOptions = {}) =>
  call(api, id, { token: user.token, ...options });
const eTagOfCollection = async (options: CallOptions = {}) => {
  const response = await as('collections.get', { params: { id: collectionId }, ...options });
  return String(response.headers.get('etag'));
};
const eTagOfAsset = async () =>
  String((await as('assets.get', { params: { id: assetId } })).headers.get('etag'));

describe.each(['auth.user', 'collections.get', 'assets.get'] as const)('%s', (operation) => {
  const read = (headers: Record<string, string> = {}) =>
    as(operation, {
      headers,
      params: { id: operation === 'assets.get' ? assetId : collectionId },
    });

  test('responds with the same strong ETag until something changes', async () => {
    const [one, other] = [await read(), await read()];
    expect(one.headers.get('etag')).toMatch(/^"[\w-]{22}(\.[\w-]{22})?"$/);
    expect(other.headers.get('etag')).toBe(one.headers.get('etag'));
  });

  test('responds 304 without a body to a client that has this state', async () => {
    const eTag = String((await read()).headers.get('etag'));
    for (const known of [eTag, `W/${eTag}`, `"other", ${eTag}`, '*']) {
      const response = await read({ 'if-none-match': known });
      expect([response.status, response.text, response.headers.get('etag')]).toEqual([
        304,
        '',
        eTag,
      ]);
      expect(response.headers.get('content-type')).toBeNull();
    }
    for (const known of ['"other"', eTag.slice(1), 'W/', '"']) {
      expect((await read({ 'if-none-match': known })).status).toBe(200);
    }
  });
});

describe('the ETag of a collection', () => {
  test('is on the response of every operation that returns the collection', async () => {
    const created = await as('collections.create', { body: { title: 'Tagged' } });
    const params = { id: created.body.data.id };
    const eTags = [created.headers.get('etag')];
    const read = async () =>
      eTags.push((await as('collections.get', { params })).headers.get('etag'));
    await read();
    const renamed = await as('collections.rename', { params, body: { title: 'Other' } });
    eTags.push(renamed.headers.get('etag'));
    await read();
    const marked = await as('collections.favorite', { params, body: { isFavorite: true } });
    eTags.push(marked.headers.get('etag'));
    await read();
    expect(eTags).not.toContain(null);
    expect(eTags[1]).toBe(eTags[0]);
    expect(eTags[3]).toBe(eTags[2]);
    expect(eTags[5]).toBe(eTags[4]);
    expect(new Set(eTags).size).toBe(3);
    const deleted = await as('collections.remove', { params });
    expect(deleted.headers.get('etag')).toBeNull();
    expect((await as('collections.list')).headers.get('etag')).toBeNull();
  });

  test('changes when an asset is added, and not for others when a user marks it', async () => {
    const before = await eTagOfCollection();
    await uploadFile(api, user, someFile(1), { collectionId });
    const after = await eTagOfCollection();
    expect(after).not.toBe(before);

    const viewer = await newUser(api);
    await api.db.execute(sql`
      insert into memberships (id, organization_id, user_id, role, status, joined_at)
      values (${newId()}, ${user.organizationId}, ${viewer.id}, 'VIEWER', 'ACTIVE', now())`);
    const options = { token: viewer.token, organizationId: user.organizationId };
    expect(await eTagOfCollection(options)).toBe(after);
    await as('collections.favorite', {
      params: { id: collectionId },
      body: { isFavorite: true },
      ...options,
    });
    expect(await eTagOfCollection(options)).not.toBe(after);
    expect(await eTagOfCollection()).toBe(after);
  });
});

describe('the ETag of an asset', () => {
  test('is that of completing its upload, and changes with every field', async () => {
    const eTags = new Set([await eTagOfAsset()]);
    for (const change of [
      'name = name || ?',
      'public_link_enabled = false',
      'updated_at = now()',
    ]) {
      await api.db.execute(
        sql.raw(`update assets set ${change.replace('?', "'x'")} where id = '${assetId}'`),
      );
      eTags.add(await eTagOfAsset());
    }
    await uploadFile(api, user, someFile(20), { collectionId, assetId });
    eTags.add(await eTagOfAsset());
    expect(eTags.size).toBe(5);
  });
});

test('an invalid If-Match is a 400', async () => {
  for (const ifMatch of [
    '',
    'abc',
    '"open',
    '"a" "b"',
    '*, "a"',
    'w/"a"',
    `"${'x'.repeat(1024)}"`,
  ]) {
    const { status, body } = await as('collections.rename', {
      params: { id: collectionId },
      body: { title: 'x' },
      headers: { 'if-match': ifMatch },
    });
    expect([ifMatch, status]).toEqual([ifMatch, 400]);
    expect(body.errors[0]).toMatchObject({ in: 'headers', path: ['if-match'] });
  }
});

test('pages of other origins may read ETag and Idempotency-Replayed', async () => {
  const { headers } = await send(api, '/health', {
    headers: { origin: 'https://app.example.com' },
  });
  const exposed = headers.get('access-control-expose-headers')?.split(', ');
  expect(exposed).toEqual(expect.arrayContaining(['ETag', 'Idempotency-Replayed']));
});
