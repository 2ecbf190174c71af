import { count, eq, isNull, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import {
  assets,
  collections,
  comments,
  invitations,
  memberships,
  projects,
  taskAssignees,
  tasks,
  uploads,
} from '../db/generated/schema.ts';
import { newId } from '../kernel/ids.ts';
import type { TestUser } from './accounts.ts';
import { call, type CallOptions, type TestApi } from './api.ts';
import { completion, putParts, someFile, type StartedUpload } from './library.ts';
import { joinTeam, newTeam } from './organizations.ts';

interface Place {
  /** Of the team. */
  readonly id: string;
  readonly collectionId: string;
}

const within = (organizationId: string, { token }: TestUser): CallOptions => ({
  token,
  organizationId,
});

const file = someFile(3);

/** Starts an upload of a small file into a team's collection. */
export async function startUpload(
  api: TestApi,
  owner: TestUser,
  { id, collectionId }: Place,
): Promise<StartedUpload> {
  const { status, body } = await call(api, 'uploads.initiate', {
    ...within(id, owner),
    body: {
      fileName: file.fileName,
      contentType: file.contentType,
      fileSize: file.content.length,
      collectionId,
    },
  });
  expect(status).toBe(201);
  return body.data;
}

/** Stores the parts and completes. @returns the response, whatever its status */
export async function completeUpload(
  api: TestApi,
  owner: TestUser,
  { id, collectionId, upload }: Place & { upload: StartedUpload },
) {
  const parts = await putParts(upload, file.content);
  const body = completion(upload, file, collectionId, parts);
  return call(api, 'uploads.complete', { ...within(id, owner), body });
}

/** Creates a team of an owner and an administrator, with records of every kind. */
export async function furnishedTeam(api: TestApi, owner: TestUser, administrator: TestUser) {
  const { id } = await newTeam(api, owner);
  await joinTeam(api, id, administrator, 'ADMIN');
  const collection = await call(api, 'collections.create', {
    ...within(id, owner),
    body: { title: 'Pictures' },
  });
  const place = { id, collectionId: String(collection.body.data.id) };
  const upload = await startUpload(api, owner, place);
  const { id: assetId, assetShortUrl } = (await completeUpload(api, owner, { ...place, upload }))
    .body.data;
  const linked = await call(api, 'assets.update', {
    ...within(id, owner),
    params: { id: assetId },
    body: { publicLinkEnabled: true },
  });
  expect(linked.status).toBe(200);
  await startUpload(api, owner, place);
  const [projectId, taskId, now] = [newId(), newId(), new Date()];
  const made = { createdBy: owner.id, createdAt: now, updatedAt: now };
  await api.db.insert(projects).values({
    organizationId: id,
    id: projectId,
    name: 'p',
    key: 'P',
    status: 'ACTIVE',
    rank: 'a0',
    ...made,
  });
  await api.db.insert(tasks).values({
    organizationId: id,
    id: taskId,
    projectId,
    number: 1,
    title: 't',
    status: 'TODO',
    priority: 'NONE',
    rank: 'a0',
    ...made,
  });
  await api.db
    .insert(taskAssignees)
    .values({ organizationId: id, taskId, userId: administrator.id, assignedAt: now });
  await api.db.insert(comments).values({
    organizationId: id,
    id: newId(),
    taskId,
    authorId: administrator.id,
    body: 'c',
    createdAt: now,
  });
  for (const status of ['PENDING', 'ACCEPTED'] as const) {
    await api.db.insert(invitations).values({
      organizationId: id,
      id: newId(),
      email: `${status.toLowerCase()}@example.com`,
      role: 'MEMBER',
      status,
      invitedBy: owner.id,
      createdAt: now,
      expiresAt: new Date(now.getTime() + 1000),
    });
  }
  return { ...place, shortPath: new URL(assetShortUrl).pathname };
}

/** Returns a team's records, as rows of each table. */
export async function inventoryOf(api: Pick<TestApi, 'db'>, id: string) {
  const rowsOf = async (
    table:
      | typeof memberships
      | typeof projects
      | typeof tasks
      | typeof taskAssignees
      | typeof comments,
  ) => {
    const [found] = await api.db
      .select({ rows: count() })
      .from(table)
      .where(eq(table.organizationId, id));
    return found?.rows;
  };
  return {
    members: await rowsOf(memberships),
    projects: await rowsOf(projects),
    tasks: await rowsOf(tasks),
    assignees: await rowsOf(taskAssignees),
    comments: await rowsOf(comments),
    invitations: await api.db
      .select({ email: invitations.email, status: invitations.status })
      .from(invitations)
      .where(eq(invitations.organizationId, id))
      .orderBy(invitations.email),
    uploads: await api.db
      .select({ status: uploads.status })
      .from(uploads)
      .where(eq(uploads.organizationId, id))
      .orderBy(uploads.status),
    keptCollections: await api.db.$count(
      collections,
      sql`${collections.organizationId} = ${id} and ${isNull(collections.deletedAt)}`,
    ),
    keptAssets: await api.db.$count(
      assets,
      sql`${assets.organizationId} = ${id} and ${isNull(assets.deletedAt)}`,
    ),
  };
}
