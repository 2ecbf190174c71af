// @module-tag slow

import { and, eq, isNull, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { collections, comments, organizations, tasks } from '../../db/generated/schema.ts';
import { everywhere } from '../../db/scopes.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { insertTask, newProject } from '../../testing/board.ts';
import { boundStatements } from '../../testing/bounded-statements.ts';
import { untilIdle } from '../../testing/library.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { deleteAccount } from './delete-account.ts';
import { deletionDeps, requestDeletion } from './testing.ts';

const api = await setUpApi();
const rows = 4_500;

/** Fills a personal organization with more of everything than a batch has. */
async function fill({ id: userId, organizationId }: TestUser, projectId: string, taskId: string) {
  await api.db.execute(sql`
    insert into tasks (organization_id, id, project_id, number, title, status, priority, rank, created_by, created_at, updated_at)
    select ${organizationId}, uuidv7(), ${projectId}, number + 10, 'Some', 'TODO', 'NONE',
      'b' || lpad(number::text, 8, '0') || 'V', ${userId}, now(), now()
    from generate_series(1, ${rows}::int) as number`);
  await api.db.execute(sql`
    insert into comments (organization_id, id, task_id, author_id, body, created_at)
    select ${organizationId}, uuidv7(), ${taskId}, ${userId}, 'Some', now() from generate_series(1, ${rows}::int)`);
  await api.db.execute(sql`
    insert into collections (organization_id, id, title, created_by, created_at, updated_at)
    select ${organizationId}, uuidv7(), 'Some', ${userId}, now(), now() from generate_series(1, ${rows}::int)`);
}

const countsOf = ({ organizationId }: TestUser) =>
  Promise.all(
    [tasks, comments, collections].map((table) =>
      api.db.$count(table, eq(table.organizationId, organizationId)),
    ),
  );

async function leaving() {
  const user = await newUser(api);
  const { organizationId } = user;
  const projectId = await newProject(api, user);
  const taskId = await insertTask(api, { organizationId, projectId, createdBy: user });
  await fill(user, projectId, taskId);
  expect((await requestDeletion(api, user)).status).toBe(200);
  await untilIdle(api);
  return user;
}

test('a personal organization with much in it is deleted in pieces, also by two runs, and no other', async () => {
  const [user, other] = [await leaving(), await leaving()];
  for (const table of ['tasks', 'comments', 'collections']) {
    await boundStatements(api, table, 2_000);
  }
  const stopping = new AbortController();
  const deps = deletionDeps(api);
  const db = new Proxy(deps.db, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name);
      if (typeof found !== 'function') return found;
      return (...args: unknown[]): unknown => {
        if (name === 'delete') stopping.abort(new Error('stopping'));
        return Reflect.apply(found, target, args);
      };
    },
  });
  const run = (more: Partial<typeof deps> = {}) =>
    everywhere(api.deps.scopes, () => deleteAccount({ ...deps, ...more }, user.id));
  const interrupted = run({ db, signal: stopping.signal });
  await expect(interrupted).rejects.toThrow('stopping');
  const isLiving = and(eq(organizations.id, user.organizationId), isNull(organizations.deletedAt));
  expect(await api.db.$count(organizations, isLiving)).toBe(1);
  await run();
  expect(await api.db.$count(organizations, isLiving)).toBe(0);
  expect(await countsOf(user)).toEqual([0, 0, 0]);
  expect(await countsOf(other)).toEqual([rows + 1, rows, rows]);
});
