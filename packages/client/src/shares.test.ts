import { startMock, type Mock } from '@atelier/mock';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createClient, memoryTokens, type Middleware } from './index.ts';
import { openShare, shareTokenOf } from './shares.ts';

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock[Symbol.asyncDispose]());
afterEach(() => vi.restoreAllMocks());

async function sharedCollection(conditions: object = {}) {
  const api = createClient({ baseUrl: mock.url, tokens: memoryTokens() });
  await api.auth.login({ body: { email: 'ada@example.com', password: 'difference engine' } });
  const asset = (await api.assets.list()).items[0];
  if (!asset) throw new Error('the mock has no assets');
  const share = await api.shares.create({
    body: { targetType: 'COLLECTION', targetId: asset.collectionId, ...conditions },
  });
  return { api, share, token: shareTokenOf(share.url ?? '') ?? '' };
}

const visitorOf = (middleware: readonly Middleware[] = []) =>
  createClient({ baseUrl: mock.url, tokens: memoryTokens(), middleware });

test('opens a link, reads the assets and downloads', async () => {
  const { token } = await sharedCollection({ allowDownload: true, label: 'For you' });
  const visit = await openShare(visitorOf(), { token, visitorName: 'Grace' });
  expect(visit.share.label).toBe('For you');
  const { items } = await visit.assets({ limit: 1 });
  const id = items[0]?.id ?? '';
  expect((await visit.asset(id)).id).toBe(id);
  const { url } = await visit.download(id);
  expect((await fetch(url)).status).toBe(200);
});

test('comments, and lists what was said in the share', async () => {
  const { token } = await sharedCollection({ allowComments: true });
  const visit = await openShare(visitorOf(), { token });
  const id = (await visit.assets({ limit: 1 })).items[0]?.id ?? '';
  const first = await visit.comment(id, { body: 'Blurred', visitorName: 'Grace' });
  await visit.comment(id, { body: 'Here', visitorName: 'Grace', parentId: first.id });
  const { items, pagination } = await visit.comments(id, { limit: 1 });
  expect(items).toEqual([first]);
  const rest = await visit.comments(id, { cursor: pagination.nextCursor });
  expect(rest.items).toMatchObject([{ body: 'Here', parentId: first.id }]);
});

test('comments once under an idempotency key, and again under another one', async () => {
  const { token } = await sharedCollection({ allowComments: true });
  const visit = await openShare(visitorOf(), { token });
  const id = (await visit.assets({ limit: 1 })).items[0]?.id ?? '';
  const comment = { body: 'Blurred', visitorName: 'Grace' };
  const options = { idempotencyKey: crypto.randomUUID() };
  const first = await visit.comment(id, comment, options);
  expect(await visit.comment(id, comment, options)).toEqual(first);
  const second = await visit.comment(id, comment, { idempotencyKey: crypto.randomUUID() });
  expect((await visit.comments(id)).items).toEqual([first, second]);
});

test('asks for the password, and ends with the share', async () => {
  const { api, share, token } = await sharedCollection({ password: 'printer 4711' });
  const visitor = visitorOf();
  await expect(openShare(visitor, { token })).rejects.toMatchObject({
    code: 'share_password_required',
  });
  const visit = await openShare(visitor, { token, password: 'printer 4711' });
  await api.shares.remove({ params: { id: share.id } });
  await expect(visit.assets()).rejects.toMatchObject({ code: 'share_not_found' });
});

test('renews a ticket that has ended, once for all calls', async () => {
  const { token } = await sharedCollection();
  let openings = 0;
  const forgetFirst: Middleware = (attempt, next) => {
    if (attempt.operation === 'shares.open') openings += 1;
    const isFirst = openings === 1 && attempt.operation !== 'shares.open';
    if (isFirst) attempt.headers.set('authorization', 'Share atlv_ended');
    return next();
  };
  const visit = await openShare(visitorOf([forgetFirst]), { token });
  const pages = await Promise.all([visit.assets(), visit.assets(), visit.assets()]);
  expect(pages.map(({ items }) => items.length > 0)).toEqual([true, true, true]);
  expect(openings).toBe(2);
});

test.each([
  ['a clock that is ahead', 29 * 60_000],
  ['a clock that is far ahead', 24 * 60 * 60_000],
])('opens a share once with %s', async (_, aheadMs) => {
  const { token } = await sharedCollection();
  const operations: string[] = [];
  const noted: Middleware = (attempt, next) => {
    operations.push(attempt.operation);
    return next();
  };
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
  const visit = await openShare(visitorOf([noted]), { token });
  await visit.assets();
  await visit.assets();
  expect(operations).toEqual(['shares.open', 'shares.sharedAssets', 'shares.sharedAssets']);
});

test('renews a ticket two minutes before it ends', async () => {
  const { token } = await sharedCollection();
  let openings = 0;
  const counted: Middleware = (attempt, next) => {
    if (attempt.operation === 'shares.open') openings += 1;
    return next();
  };
  const visit = await openShare(visitorOf([counted]), { token });
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 29 * 60_000);
  await visit.assets();
  expect(openings).toBe(2);
});

test('works on with a ticket that could not be renewed before its end', async () => {
  const { token } = await sharedCollection({ maxOpenings: 1 });
  const operations: string[] = [];
  const noted: Middleware = (attempt, next) => {
    operations.push(attempt.operation);
    if (hasEnded) attempt.headers.set('authorization', 'Share atlv_ended');
    return next();
  };
  let hasEnded = false;
  const visit = await openShare(visitorOf([noted]), { token });
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 29 * 60_000);
  expect((await visit.assets()).items.length).toBeGreaterThan(0);
  await visit.assets();
  expect(operations).toEqual([
    'shares.open',
    'shares.open',
    'shares.sharedAssets',
    'shares.sharedAssets',
  ]);
  hasEnded = true;
  await expect(visit.assets()).rejects.toMatchObject({ code: 'share_not_found' });
});

test('finds the token of a link, and of nothing else', () => {
  const token = `atls_${'a1B'.repeat(14)}Z`;
  expect(shareTokenOf(`https://app.example.com/share#${token}`)).toBe(token);
  for (const other of ['', 'https://app.example.com/share', `https://x/?${token}`, `#${token}x`]) {
    expect(shareTokenOf(other)).toBeNull();
  }
});
