import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { plans } from '../../db/generated/schema.ts';
import { call } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();

const list = (query: Record<string, string | number> = {}) => call(api, 'plans.list', { query });

test('an anonymous caller sees every plan, cheapest first, with its limits', async () => {
  const { status, body } = await list();
  expect([status, body.message]).toEqual([200, 'Plans retrieved']);
  expect(body.data.items.map(({ code }: { code: string }) => code)).toEqual([
    'FREE',
    'PRO',
    'BUSINESS',
  ]);
  expect(body.data.items[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    code: 'FREE',
    name: 'Free',
    description: 'For people and small teams',
    priceCents: 0,
    currency: 'EUR',
    interval: 'MONTH',
    limits: {
      members: 50,
      storageBytes: 10_737_418_240,
      maxFileBytes: 5_368_709_120,
      projects: 100,
      versionsPerAsset: 100,
      teamsPerAccount: 20,
    },
    features: expect.arrayContaining(['Projects and tasks']),
    isDefault: true,
  });
  expect(body.data.items[1].limits.teamsPerAccount).toBeNull();
  expect(body.data.items[2].limits.members).toBeNull();
  expect(body.data.pagination).toEqual({
    page: 1,
    limit: 20,
    total: 3,
    totalPages: 1,
    hasNext: false,
  });
});

test('texts give sizes in decimal units, as the app shows the limits', async () => {
  const { body } = await list();
  const features = body.data.items.flatMap((plan: { features: string[] }) => plan.features);
  expect(features).toEqual(
    expect.arrayContaining(['1.1 TB of storage', 'Files up to 53.7 GB', '11 TB of storage']),
  );
  expect(features.join()).not.toMatch(/[KMGT]iB/);
});

test('pages contain every plan once; one past the end is empty', async () => {
  const pages = await Promise.all([1, 2, 3].map((page) => list({ page, limit: 2 })));
  expect(
    pages.map(({ body }) => body.data.items.map(({ code }: { code: string }) => code)),
  ).toEqual([['FREE', 'PRO'], ['BUSINESS'], []]);
  expect(pages.map(({ body }) => body.data.pagination)).toEqual([
    { page: 1, limit: 2, total: 3, totalPages: 2, hasNext: true },
    { page: 2, limit: 2, total: 3, totalPages: 2, hasNext: false },
    { page: 3, limit: 2, total: 3, totalPages: 2, hasNext: false },
  ]);
});

test.each([{ page: 0 }, { limit: 101 }, { limit: 'all' }])('refuses %j', async (query) => {
  const { status, body } = await list(query);
  expect([status, body.code]).toEqual([400, 'validation_failed']);
});

test('a new price shows in the next response, and moves the plan', async () => {
  await api.db
    .update(plans)
    .set({ priceCents: 9_900 })
    .where(sql`code = 'PRO'`);
  const { body } = await list();
  const prices = body.data.items.map(({ priceCents }: { priceCents: number }) => priceCents);
  expect(prices).toEqual([0, 4_900, 9_900]);
});
