// @module-tag slow

import { operations } from '@atelier/contract';
import { beforeAll, expect, test } from 'vitest';
import { newUser } from '../testing/accounts.ts';
import { activityWalk } from '../testing/activity-walk.ts';
import { configuredAdmin, type Story } from '../testing/feature-fixtures.ts';
import { newStoryTeam } from '../testing/fixture-parts.ts';
import { placeOf, stories } from './fixtures.ts';
import { knownPageComparison } from './known-pages.ts';
import { setUpApi } from '../testing/set-up.ts';
let people: Story['people'];
let teamId: string;

const api = await setUpApi({ ADMIN_EMAILS: configuredAdmin() });
beforeAll(async () => {
  const [ada, bob, viewer, stranger] = await Promise.all([
    newUser(api, 'ada'),
    newUser(api, 'bob'),
    newUser(api, 'viewer'),
    newUser(api, 'stranger'),
  ]);
  people = { ada, bob, viewer, stranger };
  ({ teamId } = await newStoryTeam(api, people));
});

const { walk, walked, everything } = activityWalk(
  () => api,
  () => people,
);
const knownPages = knownPageComparison(api);
const walkAndCompare: Story['walk'] = async (id, step) => {
  const response = await walk(id, step);
  await knownPages.compare(id, people.ada);
  return response;
};
test.each(stories)('%s', async (_title, tell) => {
  await expect(tell({ api, walk: walkAndCompare, people, teamId })).resolves.toBeUndefined();
});

test('pages of tasks were known as long as nothing changed, and read again afterwards', () => {
  expect(knownPages.counts.reused).toBeGreaterThan(100);
  expect(knownPages.counts.changed).toBeGreaterThan(10);
});

test('the stories cover every mutation of the contract', () => {
  const mutations = operations.filter(
    ({ endpoint: { method, metadata } }) => method !== 'GET' || metadata.activities.length > 0,
  );
  const missing = mutations.filter(({ id }) => !walked.has(id));
  expect(missing.map(({ id }) => `add a story of ${placeOf(id)}`)).toEqual([]);
});

test('the stories cover every activity that an operation declares', async () => {
  const seen = new Set<string>((await everything()).map(({ action }) => action));
  const missing = operations.flatMap(({ id, endpoint }) =>
    endpoint.metadata.activities
      .filter((action) => !seen.has(action))
      .map((action) => `add a story that records ${action} for ${placeOf(id)}`),
  );
  expect(missing).toEqual([]);
});
