import { expect } from 'vitest';
import { projects } from '../db/generated/schema.ts';
import { newId } from '../kernel/ids.ts';
import type { TestUser } from './accounts.ts';
import { call, type Reachable, type TestApi } from './api.ts';

type Worker = Pick<TestUser, 'id' | 'token' | 'organizationId'>;

/** A project without its organization. */
export async function newProject(
  api: Pick<TestApi, 'db'>,
  user: Pick<Worker, 'id' | 'organizationId'>,
  {
    organizationId = user.organizationId,
    name = 'Website',
    status = 'ACTIVE',
  }: { organizationId?: string; name?: string; status?: 'ACTIVE' | 'ARCHIVED' } = {},
): Promise<string> {
  const id = newId();
  const now = new Date();
  await api.db.insert(projects).values({
    id,
    organizationId,
    name,
    key: id,
    status,
    // Any order works, as long as all are different.
    rank: `a0${id.replaceAll('-', '')}1`,
    createdBy: user.id,
    createdAt: now,
    updatedAt: now,
  });
  return id;
}

/** A task, as in the response of its creation; tests mostly identify it by title and status. */
export async function newTask(
  api: Reachable,
  user: Pick<Worker, 'token'>,
  {
    projectId,
    organizationId,
    ...body
  }: { projectId: string; organizationId?: string } & Record<string, unknown>,
) {
  const response = await call(api, 'tasks.create', {
    token: user.token,
    params: { projectId },
    body: { title: 'Write the imprint', ...body },
    ...(organizationId !== undefined && { organizationId }),
  });
  expect([response.status, response.body.code]).toEqual([201, undefined]);
  return response.body.data;
}
