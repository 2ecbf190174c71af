// @module-tag slow

import type { OperationId } from '@atelier/contract';
import { beforeAll, expect, test } from 'vitest';
import { organizations } from '../db/generated/schema.ts';
import { taskListUseCases } from '../features/tasks/list/usecases.ts';
import { newUser } from '../testing/accounts.ts';
import { activityWalk } from '../testing/activity-walk.ts';
import { configuredAdmin, type Story } from '../testing/feature-fixtures.ts';
import { newStoryTeam } from '../testing/fixture-parts.ts';
import { setUpApi } from '../testing/set-up.ts';
import { stories } from './fixtures.ts';

let people: Story['people'];
let teamId: string;

const api = await setUpApi({ ADMIN_EMAILS: configuredAdmin() });
const known = taskListUseCases(api.deps);
const read = taskListUseCases({ ...api.deps, config: { ...api.config, KNOWN_PAGES_MAX_BYTES: 0 } });

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

const { walk } = activityWalk(
  () => api,
  () => people,
);

const lists = [
  { sort: '-createdAt', limit: 100 },
  { sort: 'position', limit: 100 },
] as const;
/** How often a page was the one of the step before, and how often another. */
const pages = { reused: 0, changed: 0 };
const before = new Map<string, object>();

/** Compares the pages that are known with those that are read, for every organization. */
async function expectCurrent(after: OperationId): Promise<void> {
  for (const { id } of await api.db.select({ id: organizations.id }).from(organizations)) {
    const asker = { organization: { id }, user: people.ada };
    for (const list of lists) {
      const [shown, expected] = [await known.list(list, asker), await read.list(list, asker)];
      expect([after, shown]).toEqual([after, expected]);
      const key = JSON.stringify([id, list]);
      if (before.get(key) === shown) pages.reused += 1;
      else if (before.has(key)) pages.changed += 1;
      before.set(key, shown);
    }
  }
}

const walkAndCompare: Story['walk'] = async (id, step) => {
  const response = await walk(id, step);
  await expectCurrent(id);
  return response;
};

test.each(stories)('%s: no change leaves a page of tasks as it was', async (_title, tell) => {
  await expect(tell({ api, walk: walkAndCompare, people, teamId })).resolves.toBeUndefined();
});

test('pages were reused, and were read again', () => {
  expect(pages.reused).toBeGreaterThan(100);
  expect(pages.changed).toBeGreaterThan(10);
});
