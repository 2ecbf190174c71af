import { maxPinnedAssets, maxShares } from '@atelier/contract';
import { describe, expect, test } from 'vitest';
import { addAsset } from './features/contents.ts';
import { features } from './features/index.ts';
import { sampleAccount } from './samples.ts';
import type { State } from './state/model.ts';
import type { Stored } from './state/store.ts';
import { hourMs, minuteMs, setUpMock, startMs } from './testing/mock.ts';

const share = (targetId: string) => ({ targetType: 'COLLECTION', targetId });

describe('an expired share', () => {
  const { clock, send, login, create } = setUpMock();

  test('gets no other expiry while as many as possible are open', async () => {
    const { id } = (await send('GET', '/api/collections?limit=1')).data.items[0];
    const expiresAt = new Date(startMs + hourMs).toISOString();
    const expired = await create('/api/shares', { body: { ...share(id), expiresAt } });
    clock.nowMs += 2 * hourMs;
    const token = (await login(sampleAccount)).accessToken;
    for (let count = 0; count < maxShares; count += 1) {
      await create('/api/shares', { token, body: share(id) });
    }
    const path = `/api/shares/${expired.id}`;
    const update = (body: object) => send('PATCH', path, { token, body });
    expect(await update({ expiresAt: null })).toMatchObject({
      status: 409,
      code: 'too_many_shares',
    });
    expect((await update({ label: 'Old' })).data.status).toBe('EXPIRED');
    const { items } = (await send('GET', '/api/shares?limit=1', { token })).data;
    await send('DELETE', `/api/shares/${items[0].id}`, { token });
    expect((await update({ expiresAt: null })).data.status).toBe('ACTIVE');
  });
});

describe('an open share', () => {
  const { send, create } = setUpMock();

  test('shows its visitors the whole name of the person who shares it', async () => {
    const { id } = (await send('GET', '/api/collections?limit=1')).data.items[0];
    const { url } = await create('/api/shares', { body: share(id) });
    const token = new URL(url).hash.slice(1);
    const { data } = await send('POST', '/api/public/shares/open', { body: { token } });
    expect(data.share.sharedBy).toBe('Ada Lovelace');
  });
});

describe('a ticket', () => {
  const { clock, send, create } = setUpMock();

  test.each([
    ['an hour', 60, 30],
    ['ten minutes', 10, 10],
  ])('of a share that ends in %s is valid for at most half an hour', async (_, shared, valid) => {
    const { id } = (await send('GET', '/api/collections?limit=1')).data.items[0];
    const expiresAt = new Date(startMs + shared * minuteMs).toISOString();
    const { url } = await create('/api/shares', { body: { ...share(id), expiresAt } });
    const body = { token: new URL(url).hash.slice(1) };
    const { data } = await send('POST', '/api/public/shares/open', { body });
    const endMs = startMs + valid * minuteMs;
    expect(data.expiresAt).toBe(new Date(endMs).toISOString());
    const headers = { authorization: `Share ${data.ticket}` };
    const visit = () => send('GET', '/api/public/share', { headers });
    clock.nowMs = endMs - 1;
    expect((await visit()).status).toBe(200);
    clock.nowMs = endMs;
    expect(await visit()).toMatchObject({ status: 401, code: 'unauthenticated' });
  });
});

describe('a visit', () => {
  const { clock, send, create } = setUpMock();

  test('has a view for each asset that it shows, and one for its downloads of a minute', async () => {
    const { id } = (await send('GET', '/api/collections?limit=1')).data.items[0];
    const made = await create('/api/shares', { body: { ...share(id), allowDownload: true } });
    const body = { token: new URL(made.url).hash.slice(1) };
    const { data } = await send('POST', '/api/public/shares/open', { body });
    const headers = { authorization: `Share ${data.ticket}` };
    const visit = (path: string) => send('GET', `/api/public/share/assets${path}`, { headers });
    const asset = (await visit('?limit=1')).data.items[0].id;
    const download = () => visit(`/${asset}/download`);
    expect([(await download()).status, (await download()).status]).toEqual([200, 200]);
    clock.nowMs += minuteMs;
    await download();
    await visit(`/${asset}`);
    await visit(`/${asset}`);
    const { items } = (await send('GET', `/api/shares/${made.id}/views`)).data;
    expect(items.map(({ action }: { action: string }) => action).toSorted()).toEqual([
      'DOWNLOADED',
      'DOWNLOADED',
      'OPENED',
      'PREVIEWED',
    ]);
  });
});

describe('a share of a large collection', () => {
  const full = { title: 'Full', id: '' };
  const { send, create } = setUpMock({
    ...features,
    addSamples: (state: State, { user, organization }: { user: Stored; organization: Stored }) => {
      features.addSamples(state, { user, organization });
      const [collection] = state.store.all('collection');
      full.id = collection?.id ?? '';
      const content = { bytes: new Uint8Array(), contentType: 'text/plain', createdBy: user.id };
      const asset = { ...content, collectionId: full.id, organization, assetName: 'a.txt' };
      for (let count = 0; count <= maxPinnedAssets; count += 1) addAsset(state, asset);
    },
  });

  test('pins no more assets than are allowed', async () => {
    const body = { ...share(full.id), versions: 'PINNED' };
    const refused = { status: 409, code: 'too_many_pinned_assets' };
    expect(await send('POST', '/api/shares', { body })).toMatchObject(refused);
    const { id } = await create('/api/shares', { body: share(full.id) });
    const versions = { body: { versions: 'PINNED' } };
    expect(await send('PATCH', `/api/shares/${id}`, versions)).toMatchObject(refused);
    expect((await send('GET', `/api/shares/${id}`)).data.versions).toBe('CURRENT');
  });
});
