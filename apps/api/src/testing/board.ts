import { expect } from 'vitest';
import { sql } from 'drizzle-orm';
import { tasks } from '../db/generated/schema.ts';
import { newId } from '../kernel/ids.ts';
import type { TestUser } from './accounts.ts';
import { call, type CallOptions, type Reachable, type TestApi } from './api.ts';

/** The owner of the board; without an organization the personal one. */
export interface BoardOwner {
  readonly token: string;
  readonly organizationId?: string;
}

export async function newProject(
  api: Reachable,
  { token, organizationId }: BoardOwner,
  name = 'Website',
): Promise<string> {
  const { status, body } = await call(api, 'projects.create', {
    token,
    ...(organizationId !== undefined && { organizationId }),
    body: { name },
  });
  expect(status).toBe(201);
  return body.data.id;
}

/** The requests of a user to projects; in the personal organization, unless the options name another. */
export function projectRequests(api: Reachable, { token }: Pick<TestUser, 'token'>) {
  return {
    create: (body: unknown, options: CallOptions = {}) =>
      call(api, 'projects.create', { token, body, ...options }),
    get: (id: string, options: CallOptions = {}) =>
      call(api, 'projects.get', { token, params: { id }, ...options }),
    update: (id: string, body: unknown, options: CallOptions = {}) =>
      call(api, 'projects.update', { token, params: { id }, body, ...options }),
    remove: (id: string, options: CallOptions = {}) =>
      call(api, 'projects.remove', { token, params: { id }, ...options }),
  };
}

let latestMs = 0;

/** Rises: ids of the same millisecond are in no order, so tasks of the same one would be listed in any. */
function risingNow(): Date {
  latestMs = Math.max(Date.now(), latestMs + 1);
  return new Date(latestMs);
}

/** Inserts a task at the end of its column. */
export async function insertTask(
  api: Pick<TestApi, 'db'>,
  task: {
    organizationId: string;
    projectId: string;
    createdBy: Pick<TestUser, 'id'>;
    status?: (typeof tasks.$inferInsert)['status'];
    title?: string;
  },
): Promise<string> {
  const id = newId();
  const now = risingNow();
  const { organizationId, projectId, status = 'TODO', title = 'Write the imprint' } = task;
  const [numbered] = await api.db.execute<{ number: number }>(sql`
    update projects set next_task_number = next_task_number + 1
    where organization_id = ${organizationId} and id = ${projectId}
    returning next_task_number - 1 as number`);
  const number = Number(numbered?.number);
  await api.db.insert(tasks).values({
    organizationId,
    id,
    projectId,
    number,
    title,
    status,
    priority: 'NONE',
    rank: `a0${String(number).padStart(6, '0')}V`,
    completedAt: status === 'DONE' ? now : null,
    createdBy: task.createdBy.id,
    createdAt: now,
    updatedAt: now,
  });
  return id;
}
