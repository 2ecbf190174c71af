import { operations } from '@atelier/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUser } from './testing/accounts.ts';
import { activityWalk } from './testing/activity-walk.ts';
import { startTestApi, type TestApi } from './testing/api.ts';
import { accountStory, configuredAdmin } from './testing/stories/accounts.ts';
import { libraryStory, publishingStory } from './testing/stories/library.ts';
import type { Story } from './testing/stories/story.ts';
import { teamStory } from './testing/stories/team.ts';
import { workStory } from './testing/stories/work.ts';

let api: TestApi;
let people: Story['people'];
let teamId: string;
beforeAll(async () => {
  api = await startTestApi({ ADMIN_EMAILS: configuredAdmin });
  const [ada, bob, viewer, stranger] = await Promise.all([
    newUser(api, 'ada'),
    newUser(api, 'bob'),
    newUser(api, 'viewer'),
    newUser(api, 'stranger'),
  ]);
  people = { ada, bob, viewer, stranger };
});
afterAll(() => api.close());

const { walk, walked, everything } = activityWalk(
  () => api,
  () => people,
);
const story = (): Story => ({ api, walk, people });
const accounts = () => accountStory(story());

test('an account from its registration to its new password', async () => {
  await expect(accounts().account()).resolves.toBeUndefined();
});
test('a login of a configured administrator tells of both', async () => {
  await expect(accounts().administrator()).resolves.toBeUndefined();
});
test('signing in through Google, as a newcomer and with an account', async () => {
  await expect(accounts().google()).resolves.toBeUndefined();
});
test('signing in through GitHub, as a newcomer and with an account', async () => {
  await expect(accounts().github()).resolves.toBeUndefined();
});
test('sessions and the profile', async () => {
  await expect(accounts().profile()).resolves.toBeUndefined();
});
test('a team and its members', async () => {
  teamId = await teamStory(story());
  expect(walked).toContain('organizations.create');
});
test('collections, uploads and assets', async () => {
  await expect(libraryStory(story(), teamId)).resolves.toBeUndefined();
});
test('publishing into a team', async () => {
  await expect(publishingStory(story(), teamId)).resolves.toBeUndefined();
});
test('projects, tasks and comments', async () => {
  await expect(workStory(story(), teamId)).resolves.toBeUndefined();
});

test('the stories have called every mutation of the contract', () => {
  const mutations = operations.filter(
    ({ endpoint: { method, metadata } }) => method !== 'GET' || metadata.activities.length > 0,
  );
  expect(mutations.filter(({ id }) => !walked.has(id)).map(({ id }) => id)).toEqual([]);
});

test('the stories have seen every activity that an operation declares', async () => {
  const seen = new Set<string>((await everything()).map(({ action }) => action));
  for (const { id, endpoint } of operations) {
    expect([id, endpoint.metadata.activities.filter((action) => !seen.has(action))]).toEqual([
      id,
      [],
    ]);
  }
});
