// @module-tag slow

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@atelier/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { seedAccount, seedSamples, type DemoAccount } from './seed.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'atelier-seed-'));
const stackFile = join(dataDir, 'stack.json');
/** Written when the samples are complete, which is after the start is announced. */
const seededFile = join(dataDir, 'postgres', 'seeded.json');

interface Stack {
  api: string;
  mail: string;
  demo: DemoAccount;
}

let start: ChildProcess;
let exited: Promise<unknown[]>;
let stack: Stack;

/** Starts the product with a fresh data directory. */
beforeAll(async () => {
  const appeared = new Promise<void>((resolve) => {
    const watcher = watch(dataDir, () => {
      if (!existsSync(stackFile)) return;
      watcher.close();
      resolve();
    });
  });
  // The test runner sets its own BASE_URL.
  const { BASE_URL: _runners, ...inherited } = process.env;
  start = spawn(process.execPath, [join(import.meta.dirname, '..', 'start.ts')], {
    env: { ...inherited, ATELIER_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  exited = once(start, 'exit');
  await Promise.race([
    appeared,
    exited.then(() => {
      throw new Error(`start ended with ${start.exitCode}`);
    }),
  ]);
  stack = JSON.parse(readFileSync(stackFile, 'utf8')) as Stack;
  await vi.waitFor(() => expect(existsSync(seededFile)).toBe(true), { timeout: 60_000 });
});

afterAll(async () => {
  start.kill('SIGINT');
  await exited;
  expect(start.exitCode).toBe(0);
  expect(existsSync(stackFile)).toBe(false);
  rmSync(dataDir, { recursive: true, force: true });
});

const options = (demo: DemoAccount) => ({
  apiUrl: stack.api,
  baseUrl: stack.api,
  mailUrl: stack.mail,
  identityUrl: 'the embedded one',
  demo,
  signal: new AbortController().signal,
});

/** Signs in; returns the options of calls in the account's only team. */
async function teamOf(account: DemoAccount) {
  const api = createClient({ baseUrl: stack.api });
  await api.auth.login({ body: account });
  const { items: organizations } = await api.organizations.list({});
  const [team, ...others] = organizations.filter(({ type }) => type === 'TEAM');
  expect(others).toEqual([]);
  return { api, inTeam: { organizationId: String(team?.id) } };
}

/** Summarizes the resources of the account. */
async function possessions(account: DemoAccount) {
  const { api, inTeam } = await teamOf(account);
  const collections = async (scope: { organizationId?: string } = {}) =>
    (
      await api.collections.list({ query: { sort: 'title', scope: 'organization' } }, scope)
    ).items.map(({ title, assetCount }) => `${title}: ${assetCount}`);
  const members = await api.organizations.listMembers({ params: { id: inTeam.organizationId } });
  const { tasks } = await api.dashboard.summary({}, inTeam);
  const { items } = await api.tasks.list({ query: { limit: 100 } }, inTeam);
  const reviewed = await api.assets.list({ query: { reviewStatus: 'IN_REVIEW' } }, inTeam);
  const favorites = await api.collections.list({ query: { favorite: true } }, inTeam);
  return {
    personal: await collections(),
    team: await collections(inTeam),
    members: members.items.map(({ role }) => role).toSorted(),
    portraits: members.items.filter(({ user }) => user.avatarUrl !== null).length,
    tasks: tasks.total,
    comments: items.map(({ commentCount }) => commentCount).reduce((sum, count) => sum + count, 0),
    assigned: items.filter(({ assignees }) => assignees.length > 0).length,
    subtasks: items.filter(({ parent }) => parent !== null).length,
    attachments: items.reduce((sum, { attachmentCount }) => sum + attachmentCount, 0),
    inReview: reviewed.items.map(({ assetName, commentCount }) => `${assetName}: ${commentCount}`),
    favorites: favorites.items.map(({ title }) => title),
  };
}

const everything = {
  personal: ['Notes: 1'],
  team: ['Coast walks: 3', 'Hills at dusk: 4', 'Landscapes: 3', 'Wall texts: 3'],
  members: ['ADMIN', 'MEMBER', 'MEMBER', 'OWNER'],
  tasks: 24,
  comments: 8,
  assigned: 17,
  subtasks: 3,
  attachments: 2,
  portraits: 4,
  inReview: ['northern-dusk.jpg: 2'],
  favorites: ['Landscapes'],
};

test('the first start creates a demo account whose team has work in progress', async () => {
  expect(await possessions(stack.demo)).toEqual(everything);
});

test('the painted pictures are valid images', async () => {
  const api = createClient({ baseUrl: stack.api });
  await api.auth.login({ body: stack.demo });
  const { items } = await api.organizations.list({});
  const organizationId = items.find(({ type }) => type === 'TEAM')?.id ?? '';
  const painted = async () => {
    const { items } = await api.assets.list(
      { query: { limit: 100, q: 'png', scope: 'organization' } },
      { organizationId },
    );
    return items.map(({ detectedType, width, height }) => ({ detectedType, width, height }));
  };
  const whole = { detectedType: 'image/png', width: 960, height: 640 };
  // A job inspects each picture.
  await expect.poll(painted, { timeout: 20_000 }).toEqual(Array.from({ length: 7 }, () => whole));
});

test('seeding again adds nothing', async () => {
  await seedSamples(options(stack.demo));
  expect(await possessions(stack.demo)).toEqual(everything);
});

test('a seed that was interrupted after the registration continues', async () => {
  const demo = { email: 'second@example.com', password: 'password of the second' };
  await createClient({ baseUrl: stack.api }).auth.register({ body: demo });
  await seedSamples(options(demo));
  expect(await possessions(demo)).toEqual(everything);
});

describe('a seed that was interrupted', () => {
  test('within a collection uploads only the missing files', async () => {
    const { api, inTeam } = await teamOf(stack.demo);
    const { items } = await api.assets.list({ query: { limit: 100 } }, inTeam);
    for (const name of ['red-earth.png', 'winter-light.png']) {
      const id = String(items.find(({ assetName }) => assetName === name)?.id);
      await api.assets.remove({ params: { id } }, inTeam);
    }
    await seedSamples(options(stack.demo));
    expect(await possessions(stack.demo)).toEqual(everything);
  });

  test('within the review of a collection adds what is missing', async () => {
    const { api, inTeam } = await teamOf(stack.demo);
    const { items } = await api.assets.list({ query: { reviewStatus: 'IN_REVIEW' } }, inTeam);
    const params = { id: String(items[0]?.id) };
    const [comment] = (await api.assetComments.list({ params }, inTeam)).items;
    await api.assetComments.remove(
      { params: { ...params, commentId: String(comment?.id) } },
      inTeam,
    );
    await api.assets.review({ params, body: { status: 'NONE' } }, inTeam);
    const collection = { id: String(items[0]?.collectionId) };
    await api.collections.favorite({ params: collection, body: { isFavorite: false } }, inTeam);
    await seedSamples(options(stack.demo));
    expect(await possessions(stack.demo)).toEqual(everything);
  });

  test('within the details of a task adds what is missing', async () => {
    const { api, inTeam } = await teamOf(stack.demo);
    const { items } = await api.tasks.list({ query: { limit: 100 } }, inTeam);
    const idOf = (title: string) => String(items.find((task) => task.title === title)?.id);
    const id = idOf('Print proofs on matte paper');
    await api.tasks.remove({ params: { id: idOf('Compare them on the wall') } }, inTeam);
    const attached = await api.taskAssets.list({ params: { id } }, inTeam);
    const assetId = String(attached.items[0]?.id);
    await api.taskAssets.detach({ params: { id, assetId } }, inTeam);
    const comments = await api.comments.list({ params: { taskId: id } }, inTeam);
    const commentId = String(comments.items.at(-1)?.id);
    await api.comments.remove({ params: { taskId: id, commentId } }, inTeam);
    await seedSamples(options(stack.demo));
    expect(await possessions(stack.demo)).toEqual(everything);
  });

  test('before an invitation was accepted, whose mail is lost, invites again', async () => {
    const { api, inTeam } = await teamOf(stack.demo);
    const params = { id: inTeam.organizationId };
    const email = 'teo.okafor@example.com';
    const { items } = await api.organizations.listMembers({ params, query: { q: email } });
    const memberId = String(items[0]?.id);
    await api.organizations.removeMember({ params: { ...params, memberId } });
    const inbox = `${stack.mail}/email`;
    await fetch(inbox, { method: 'DELETE' });
    await api.organizations.invite({ params, body: { email, role: 'MEMBER' } });
    await expect.poll(async () => (await fetch(inbox)).json()).toHaveLength(1);
    await fetch(inbox, { method: 'DELETE' });
    await seedSamples(options(stack.demo));
    // The removed member is no longer assigned to tasks.
    expect((await possessions(stack.demo)).members).toEqual(everything.members);
  });
});

test('without the embedded sign-in provider, the account has only its own samples', async () => {
  const demo = { email: 'third@example.com', password: 'password of the third' };
  await seedSamples({ ...options(demo), identityUrl: null });
  const api = createClient({ baseUrl: stack.api });
  await api.auth.login({ body: demo });
  expect((await api.organizations.list({})).items).toHaveLength(1);
  expect((await api.collections.list({})).items).toHaveLength(1);
});

test('the error of a failed step names the step', async () => {
  const demo = { email: 'fourth@example.com', password: 'password' };
  await expect(seedAccount(options(demo))).rejects.toMatchObject({
    operation: 'auth.register',
    status: 400,
  });
});

test('the members of the team do not count against the limit of registrations', async () => {
  const api = createClient({ baseUrl: stack.api });
  // Before: the demo account, the second one twice, the third one.
  for (const [email, isAllowed] of [
    ['fifth@example.com', true],
    ['sixth@example.com', false],
  ] as const) {
    const response = await api.auth
      .register({ body: { email, password: 'a new password' } })
      .result();
    expect(response.ok, email).toBe(isAllowed);
  }
});
