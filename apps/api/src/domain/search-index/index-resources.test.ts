// @module-tag slow

import { setImmediate as turn } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { searchDocuments } from '../../db/generated/schema.ts';
import { startJobs } from '../../jobs/start.ts';
import { newUser } from '../../testing/accounts.ts';
import { newProject } from '../../testing/board.ts';
import { newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { loadFold } from '../folding.ts';
import { documentOf, maxBodyLength } from './documents.ts';
import { indexPiece, indexResources, type Piece } from './index-resources.ts';

const api = await setUpApi({ JOBS: 'separate' });
// Nothing else writes the index.
const registering = await startJobs(api.deps);
const owner = await newUser(api, 'owner');
await registering.stop();

async function teamWithTasks(count: number, description: string): Promise<string> {
  const team = await newTeamOf(api, owner);
  const projectId = await newProject(api, team);
  await api.db.execute(sql`
    insert into tasks (id, organization_id, project_id, number, title, description, status, priority, rank, created_by, created_at, updated_at)
    select uuidv7(), ${team.organizationId}, ${projectId}, n, 'Task ' || n, ${description}, 'TODO', 'NONE', 'a' || n, ${owner.id}, now(), now()
    from generate_series(1, ${count}::int) as n`);
  return team.organizationId;
}

const idsOfTasks = async (organizationId: string) => {
  const rows = await api.db.execute<{ id: string }>(
    sql`select id from tasks where organization_id = ${organizationId} order by id`,
  );
  return rows.map(({ id }) => id);
};

const indexedTasks = async (organizationId: string) => {
  const rows = await api.db
    .select({ id: searchDocuments.resourceId })
    .from(searchDocuments)
    .where(
      and(eq(searchDocuments.organizationId, organizationId), eq(searchDocuments.type, 'task')),
    )
    .orderBy(searchDocuments.resourceId);
  return rows.map(({ id }) => id);
};

function microsecondsOf(work: () => unknown): number {
  const begin = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(begin);
  return user + system;
}

/** @returns the most processor time of a turn of the event loop during the work */
async function longestTurnDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  let longest = 0;
  let last = process.threadCpuUsage();
  while (!isOver) {
    await turn();
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, user + system);
    last = process.threadCpuUsage();
  }
  await over;
  return longest;
}

// Of all letters, this one becomes the most.
const expensive = '\ufdfa '.repeat(maxBodyLength / 2);

test.each(['a piece of a rebuild', 'resources of activities'])(
  'folding %s leaves the process to others after each long text',
  async (what) => {
    const organizationId = await teamWithTasks(60, expensive);
    const ids = await idsOfTasks(organizationId);
    const fold = await loadFold();
    const source = { type: 'task', id: '', title: '', fields: [[['C', expensive]]] } as const;
    const one = Math.max(...[1, 2, 3].map(() => microsecondsOf(() => documentOf(source, fold))));
    const index = () =>
      api.db.transaction<unknown>((tx) =>
        what === 'a piece of a rebuild'
          ? indexPiece(tx, { organizationId, type: 'task', afterId: null })
          : indexResources(tx, { organizationId, type: 'task' }, ids),
      );
    // A collection of garbage may be in any of them.
    const longest = [];
    for (let times = 0; times < 3; times += 1) longest.push(await longestTurnDuring(index()));
    expect(Math.min(...longest)).toBeLessThan(10 * one);
    expect(await indexedTasks(organizationId)).toEqual(ids);
  },
);

test('a rebuild of several pieces has every resource, and removes the others', async () => {
  const organizationId = await teamWithTasks(1_000, 'Short');
  const rebuild = async () => {
    let pieces = 0;
    let piece: Piece | null = { organizationId, type: 'task', afterId: null };
    while (piece?.type === 'task') {
      const next: Piece = piece;
      piece = await api.db.transaction((tx) => indexPiece(tx, next));
      pieces += 1;
    }
    return pieces;
  };
  expect(await rebuild()).toBe(3);
  const ids = await idsOfTasks(organizationId);
  expect(await indexedTasks(organizationId)).toEqual(ids);
  const gone = [0, 1, 99, 100, 101, 499, 500, 501, 998, 999];
  for (const index of gone) {
    await api.db.execute(
      sql`delete from tasks where organization_id = ${organizationId} and id = ${ids[index]}`,
    );
  }
  expect(await rebuild()).toBe(2);
  const left = ids.filter((_, index) => !gone.includes(index));
  expect(await indexedTasks(organizationId)).toEqual(left);
  expect(await idsOfTasks(organizationId)).toEqual(left);
});
