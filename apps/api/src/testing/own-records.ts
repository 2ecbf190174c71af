import type { OperationId } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { TestUser } from './accounts.ts';
import { call, type CallOptions, type TestApi } from './api.ts';
import { completion, initiate, putParts, someFile } from './library.ts';

/** Whose record it is, in which team, and an owner who can make one. */
export interface RecordRequest {
  readonly api: TestApi;
  readonly teamId: string;
  readonly founder: TestUser;
  readonly author: Pick<TestUser, 'id'>;
  /** The author's membership. */
  readonly memberId: string;
}

/** Makes a record of the author. @returns what an operation on it is called with */
type RecordMaker = (request: RecordRequest) => Promise<Pick<CallOptions, 'params' | 'body'>>;

/** As the team's founder. @returns the `data` of the success */
async function make(
  { api, teamId, founder }: RecordRequest,
  operation: OperationId,
  options: CallOptions,
) {
  const { status, body } = await call(api, operation, {
    token: founder.token,
    organizationId: teamId,
    ...options,
  });
  expect([operation, status < 300, body?.code]).toEqual([operation, true, undefined]);
  return body.data;
}

// Roles that can't make a record may still have one, of when they could: each is given to its author.

const collection: RecordMaker = async (request) => {
  const { id } = await make(request, 'collections.create', { body: { title: 'Pictures' } });
  const { api, author } = request;
  await api.db.execute(sql`update collections set created_by = ${author.id} where id = ${id}`);
  return { params: { id } };
};

const asset: RecordMaker = async (request) => {
  const { api, teamId: organizationId, founder, author } = request;
  const { params } = await collection(request);
  const collectionId = String(params?.['id']);
  const file = someFile(3);
  const upload = await initiate(api, founder, file, { collectionId, organizationId });
  const parts = await putParts(upload, file.content);
  const body = completion(upload, file, collectionId, parts);
  const { id } = await make(request, 'uploads.complete', { body });
  await api.db.execute(sql`update assets set created_by = ${author.id} where id = ${id}`);
  return { params: { id } };
};

const comment: RecordMaker = async (request) => {
  const { params } = await project(request);
  const task = await make(request, 'tasks.create', {
    params: { projectId: String(params?.['id']) },
    body: { title: 'Write the imprint' },
  });
  const ofTask = { taskId: task.id };
  const { id } = await make(request, 'comments.create', {
    params: ofTask,
    body: { body: 'The address is missing' },
  });
  const { api, author } = request;
  await api.db.execute(sql`update comments set author_id = ${author.id} where id = ${id}`);
  return { params: { ...ofTask, commentId: id } };
};

const project: RecordMaker = async (request) => {
  const { id } = await make(request, 'projects.create', { body: { name: 'Website' } });
  const { api, author } = request;
  await api.db.execute(sql`update projects set created_by = ${author.id} where id = ${id}`);
  return { params: { id } };
};

const upload: RecordMaker = async (request) => {
  const { api, teamId: organizationId, founder, author } = request;
  const { params } = await collection(request);
  const collectionId = String(params?.['id']);
  const { uploadId, key } = await initiate(api, founder, someFile(3), {
    collectionId,
    organizationId,
  });
  await api.db.execute(sql`update uploads set user_id = ${author.id} where id = ${uploadId}`);
  return { body: { uploadId, key } };
};

const withBody =
  (record: RecordMaker, body: unknown): RecordMaker =>
  async (request) => ({ ...(await record(request)), body });

const inBin =
  (record: RecordMaker, removal: 'collections.remove' | 'assets.remove'): RecordMaker =>
  async (request) => {
    const made = await record(request);
    await make(request, removal, made);
    return made;
  };

/** A record for every operation whose permission may reach no further than the caller's own. */
export const ownRecords: Partial<Record<OperationId, RecordMaker>> = {
  'organizations.removeMember': async ({ teamId, memberId }) => ({
    params: { id: teamId, memberId },
  }),
  'collections.rename': withBody(collection, { title: 'Renamed' }),
  'collections.remove': collection,
  'collections.restore': inBin(collection, 'collections.remove'),
  'assets.update': withBody(asset, { assetName: 'renamed.bin' }),
  'assets.remove': asset,
  'assets.restore': inBin(asset, 'assets.remove'),
  'assets.restoreVersion': async (request) => {
    const { params } = await asset(request);
    return { params: { ...params, versionNumber: 1 } };
  },
  'uploads.abort': upload,
  'projects.remove': project,
  'comments.update': withBody(comment, { body: 'The address is there' }),
  'comments.remove': comment,
};
