// @module-tag slow

import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { followFor } from '../follow/testing/following-child.ts';
import { logPositions, searchDocuments } from '../../db/generated/schema.ts';
import { enqueueJob } from '../../domain/job-queue.ts';
import { firstPiece, indexPiece, type Piece } from '../../domain/search-index/index-resources.ts';
import { newUser } from '../../testing/accounts.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { newProject } from '../../testing/board.ts';
import {
  newCollection,
  someFile,
  untilFollowed,
  untilIdle,
  uploadFile,
} from '../../testing/library.ts';
import { operate } from '../../testing/operator.ts';
import { joinTeam } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { startJobs } from '../start.ts';

const leastKills = 20;

const api = await setUpApi({ JOBS: 'separate', DATABASE_POOL_MAX: '20' });
const registering = await startJobs(api.deps);
const owner = await newUser(api, 'owner');
await registering.stop();
const drafts = await newCollection(api, owner);

interface Team {
  readonly token: string;
  readonly organizationId: string;
}

/** With the activity of its creation, which says that the owner is a member. */
async function newTeam(): Promise<Team> {
  const { token } = owner;
  const { status, body } = await call(api, 'organizations.create', {
    token,
    body: { name: 'Team' },
  });
  expect(status).toBe(201);
  return { token, organizationId: body.data.id };
}

async function made(team: Team, id: Parameters<typeof call>[1], options: CallOptions) {
  const { status, body } = await call(api, id, { ...team, ...options });
  expect([id, status < 300]).toEqual([id, true]);
  return String(body.data.id);
}

const indexOf = ({ organizationId }: Team) =>
  api.db
    .select()
    .from(searchDocuments)
    .where(eq(searchDocuments.organizationId, organizationId))
    .orderBy(searchDocuments.type, searchDocuments.resourceId);

async function rebuilt(team: Team) {
  await api.db
    .delete(searchDocuments)
    .where(eq(searchDocuments.organizationId, team.organizationId));
  let piece: Piece | null = firstPiece(team.organizationId);
  while (piece) {
    const next: Piece = piece;
    piece = await api.db.transaction((tx) => indexPiece(tx, next));
  }
  return indexOf(team);
}

const titlesIn = async (team: Team) =>
  (await indexOf(team))
    .filter(({ resourceId }) => resourceId !== owner.id)
    .map(({ type, titleFolded }) => `${type} ${titleFolded}`)
    .toSorted();

/** Makes, changes and deletes one of everything. */
async function changeEverything(team: Team, number: number): Promise<void> {
  const project = await newProject(api, team, `Projéct ${number}`);
  const task = (title: string) =>
    made(team, 'tasks.create', { params: { projectId: project }, body: { title } });
  const [kept, deleted] = [await task(`Kept ${number}`), await task(`Deleted ${number}`)];
  for (const taskId of [kept, deleted]) {
    await made(team, 'comments.create', { params: { taskId }, body: { body: `On ${number}` } });
  }
  await made(team, 'tasks.update', { params: { id: kept }, body: { title: `Renamed ${number}` } });
  await made(team, 'tasks.remove', { params: { id: deleted } });
  const collection = await made(team, 'collections.create', { body: { title: `Box ${number}` } });
  await uploadFile(api, team, someFile(3, `file ${number}.txt`), {
    collectionId: collection,
    organizationId: team.organizationId,
  });
  if (number % 3 === 0) {
    await made(team, 'collections.rename', {
      params: { id: collection },
      body: { title: `Crate ${number}` },
    });
  }
  if (number % 3 === 1) await made(team, 'collections.remove', { params: { id: collection } });
  if (number % 4 === 0) await made(team, 'projects.remove', { params: { id: project } });
  const draft = await uploadFile(api, owner, someFile(3, `draft ${number}.txt`), {
    collectionId: drafts,
  });
  await made(team, 'assets.publish', { params: { id: draft.id } });
}

describe('processes that are killed again and again', () => {
  const running = new Set<ChildProcess>();
  let kills = 0;
  let areKilled = true;

  afterAll(() => {
    for (const child of running) child.kill('SIGKILL');
  });

  async function keepKilling(): Promise<void> {
    while (areKilled) {
      const { child, exited } = await followFor({
        program: join(import.meta.dirname, 'testing/indexing-process.ts'),
        databaseUrl: api.ownerUrl,
        running,
        ms: Math.random() * 800,
      });
      child.kill('SIGKILL');
      kills += 1;
      await exited;
    }
  }

  test('leave an index like a rebuild, row by row', async () => {
    const team = await newTeam();
    const killers = [keepKilling(), keepKilling()];
    for (let number = 0; kills < leastKills || number < 8; number += 1) {
      await changeEverything(team, number);
    }
    areKilled = false;
    await Promise.all(killers);
    // Nothing follows now.
    await changeEverything(team, 1_000);
    const jobs = await startJobs(api.deps);
    await untilFollowed(api);
    await untilIdle(api);
    await jobs.stop();
    const index = await indexOf(team);
    expect(index.length).toBeGreaterThan(20);
    expect(index.filter(({ titleFolded }) => titleFolded === 'published')).toHaveLength(1);
    expect(await rebuilt(team)).toEqual(index);
  }, 300_000);
});

describe('the index', () => {
  test('follows what is part of others', async () => {
    const jobs = await startJobs(api.deps);
    const team = await newTeam();
    const settled = async () => {
      await untilFollowed(api);
      await untilIdle(api);
    };
    const projectId = await newProject(api, team, 'Site');
    const taskId = await made(team, 'tasks.create', {
      params: { projectId },
      body: { title: 'Größe' },
    });
    await made(team, 'comments.create', { params: { taskId }, body: { body: 'Yes' } });
    const collectionId = await made(team, 'collections.create', { body: { title: 'Attic' } });
    await uploadFile(api, team, someFile(3, 'lamp.txt'), {
      collectionId,
      organizationId: team.organizationId,
    });
    await settled();
    const all = ['asset lamp', 'collection attic', 'comment ', 'project site', 'task grosse'];
    expect(await titlesIn(team)).toEqual(all);
    const wordsOfAsset = async () =>
      (await indexOf(team)).find(({ type }) => type === 'asset')?.words;
    expect(await wordsOfAsset()).toContain("'attic':");
    await made(team, 'collections.rename', {
      params: { id: collectionId },
      body: { title: 'Cellar' },
    });
    await settled();
    expect(await wordsOfAsset()).toContain("'cellar':");
    await made(team, 'collections.remove', { params: { id: collectionId } });
    await made(team, 'projects.remove', { params: { id: projectId } });
    await settled();
    expect(await titlesIn(team)).toEqual([]);
    await made(team, 'collections.restore', { params: { id: collectionId } });
    await settled();
    expect(await titlesIn(team)).toEqual(['asset lamp', 'collection cellar']);
    await jobs.stop();
  });

  test('has the current names of persons', async () => {
    const jobs = await startJobs(api.deps);
    const team = await newTeam();
    const mate = await newUser(api, 'mate');
    const { memberId } = await joinTeam(api, team.organizationId, mate, 'MEMBER');
    const { token } = mate;
    await call(api, 'profile.update', { token, body: { firstName: 'Zoë', lastName: 'Ångström' } });
    await untilIdle(api);
    expect(await titlesIn(team)).toEqual(['person zoe angstrom']);
    await call(api, 'organizations.removeMember', {
      token: team.token,
      params: { id: team.organizationId, memberId },
    });
    await untilFollowed(api);
    expect(await titlesIn(team)).toEqual([]);
    await jobs.stop();
  });

  test('is built anew after a restore, and on command', async () => {
    const team = await newTeam();
    await newProject(api, team, 'Site');
    const jobs = await startJobs(api.deps);
    await untilFollowed(api);
    const index = await indexOf(team);
    expect(index.map(({ type }) => type)).toEqual(['person', 'project']);
    const forget = () =>
      api.db.delete(searchDocuments).where(eq(searchDocuments.organizationId, team.organizationId));
    await forget();
    await api.db
      .update(logPositions)
      .set({ epoch: 'another' })
      .where(sql`organization_id = ${team.organizationId} and consumer = 'search'`);
    await jobs.stop();
    const others = await startJobs(api.deps);
    await untilFollowed(api);
    await untilIdle(api);
    expect(await indexOf(team)).toEqual(index);
    await forget();
    const { stdout, exitCode } = await operate(['reindex'], {
      DATABASE_URL: api.config.DATABASE_URL,
    });
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/^\d+ search indexes are built anew/),
    ]);
    await untilIdle(api);
    expect(await indexOf(team)).toEqual(index);
    await others.stop();
  });
});

test('names of an earlier release are folded, and found before they are', async () => {
  const team = await newTeam();
  const projectId = await newProject(api, team, 'Site');
  const taskId = await made(team, 'tasks.create', {
    params: { projectId },
    body: { title: 'Before' },
  });
  const found = async (q: string) => {
    const { body } = await call(api, 'tasks.list', { ...team, query: { q } });
    return body.data.items.map(({ id }: { id: string }) => id);
  };
  const rename = (title: string) =>
    api.db.execute(sql`update tasks set title = ${title} where id = ${taskId}`);
  await rename('After all');
  expect(await found('AFTER')).toEqual([taskId]);
  expect(await found('before')).toEqual([]);
  await rename('Größe');
  expect(await found('größe')).toEqual([taskId]);
  expect(await found('grosse')).toEqual([]);
  const jobs = await startJobs(api.deps);
  await enqueueJob(api.db, 'fold_names', {});
  await untilIdle(api);
  await jobs.stop();
  expect(await found('grosse')).toEqual([taskId]);
  expect(await found('größe')).toEqual([taskId]);
});
