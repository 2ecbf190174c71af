import { randomBytes } from 'node:crypto';
import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { assetVersions, outgoingJobs, storedObjects, uploads } from '../db/generated/schema.ts';
import { enqueueJob } from '../domain/job-queue.ts';
import { behindAtAll } from '../domain/log-positions/queries.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { TestUser } from './accounts.ts';
import { call, type Reachable, type TestApi } from './api.ts';

export async function newCollection(
  api: Reachable,
  user: Pick<TestUser, 'token'>,
  title = 'Pictures',
): Promise<string> {
  const { status, body } = await call(api, 'collections.create', {
    token: user.token,
    body: { title },
  });
  expect(status).toBe(201);
  return body.data.id;
}

export interface TestFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Buffer;
}

export function someFile(bytes: number, fileName = 'notes.bin'): TestFile {
  return { fileName, contentType: 'application/octet-stream', content: randomBytes(bytes) };
}

export interface StartedUpload {
  readonly uploadId: string;
  readonly key: string;
  readonly partSize: number;
  readonly parts: readonly { partNumber: number; url: string }[];
}

/** The target of an upload; without an organization, the personal one. */
export interface UploadTarget {
  readonly collectionId: string;
  readonly assetId?: string;
  readonly organizationId?: string;
}

export async function initiate(
  api: Reachable,
  user: Pick<TestUser, 'token'>,
  file: TestFile,
  { organizationId, ...target }: UploadTarget,
): Promise<StartedUpload> {
  const { status, body } = await call(api, 'uploads.initiate', {
    token: user.token,
    ...(organizationId !== undefined && { organizationId }),
    body: {
      fileName: file.fileName,
      contentType: file.contentType,
      fileSize: file.content.length,
      ...target,
    },
  });
  expect(status).toBe(201);
  return body.data;
}

export async function putPart(url: string, content: Buffer): Promise<Response> {
  return fetch(url, { method: 'PUT', body: Uint8Array.from(content) });
}

/** PUTs every part directly to the storage. @returns the parts for `complete` */
export async function putParts(upload: StartedUpload, content: Buffer) {
  return Promise.all(
    upload.parts.map(async ({ partNumber, url }) => {
      const start = (partNumber - 1) * upload.partSize;
      const response = await putPart(url, content.subarray(start, start + upload.partSize));
      expect(response.status).toBe(200);
      return { partNumber, eTag: String(response.headers.get('etag')) };
    }),
  );
}

/** Returns the body of `complete` for an upload whose parts are stored. */
export function completion(
  upload: StartedUpload,
  file: TestFile,
  collectionId: string,
  parts: readonly { partNumber: number; eTag: string }[],
) {
  const { uploadId, key } = upload;
  return { uploadId, key, contentType: file.contentType, collectionId, parts };
}

/** Runs the three steps. @returns the asset */
export async function uploadFile(
  api: Reachable,
  user: Pick<TestUser, 'token'>,
  file: TestFile,
  target: UploadTarget,
) {
  const { organizationId } = target;
  const upload = await initiate(api, user, file, target);
  const parts = await putParts(upload, file.content);
  const { status, body } = await call(api, 'uploads.complete', {
    token: user.token,
    ...(organizationId !== undefined && { organizationId }),
    body: completion(upload, file, target.collectionId, parts),
  });
  expect([status, body.message]).toEqual([200, 'Upload completed successfully']);
  return body.data;
}

/** Waits until every content of an asset is inspected. @returns the findings of the newest */
export async function inspected(api: Pick<TestApi, 'db'>, assetId: string) {
  const findings = () =>
    api.db
      .select(getTableColumns(storedObjects))
      .from(storedObjects)
      .innerJoin(
        assetVersions,
        and(
          eq(assetVersions.organizationId, storedObjects.organizationId),
          eq(assetVersions.storedObjectId, storedObjects.id),
        ),
      )
      .where(eq(assetVersions.assetId, assetId))
      .orderBy(desc(assetVersions.versionNumber));
  // Hooks use this, too, where `expect.poll` is not available.
  await vi.waitUntil(async () => (await findings()).every(({ checksum }) => checksum !== null), {
    timeout: 20_000,
  });
  const [newest] = await findings();
  if (!newest) throw new Error(`The asset ${assetId} has gone`);
  return newest;
}

/** Creates an upload with stored parts, and the body that completes it. */
export async function readyUpload(
  api: Reachable,
  user: Pick<TestUser, 'token'>,
  target: UploadTarget,
  file: TestFile = someFile(10),
) {
  const upload = await initiate(api, user, file, target);
  const parts = await putParts(upload, file.content);
  return { file, upload, parts, body: completion(upload, file, target.collectionId, parts) };
}

/** Returns the parts of an upload in the storage; null if the storage doesn't know it (any more). */
export async function partsInStorage(api: TestApi, { uploadId, key }: StartedUpload) {
  const [row] = await api.db.select().from(uploads).where(eq(uploads.id, uploadId));
  return api.deps.store.listParts({ key, storageUploadId: String(row?.storageUploadId) });
}

/** Presigns a part with another size than its upload declares, which the service never does. */
export async function addressOfOtherSize(
  api: TestApi,
  { uploadId, key }: StartedUpload,
  { partNumber, sizeBytes }: { partNumber: number; sizeBytes: number },
): Promise<string> {
  const [row] = await api.db.select().from(uploads).where(eq(uploads.id, uploadId));
  const storageUploadId = String(row?.storageUploadId);
  const part = { key, storageUploadId, partNumber, sizeBytes };
  return api.deps.store.presignPart({ ...part, expiresInSeconds: 60 });
}

/** Runs scheduled jobs, and waits until the queue is empty. */
export async function runJobs(
  api: TestApi,
  names: readonly (
    | 'clean_up'
    | 'clean_up_uploads'
    | 'delete_due_accounts'
    | 'enqueue_digests'
    | 'fold_names'
    | 'keep_activities'
    | 'keep_totp_secrets'
    | 'keep_shares'
    | 'keep_notifications'
    | 'keep_webhooks'
    | 'notice_due_tasks'
    | 'purge_bin'
    | 'reconcile_storage'
  )[],
): Promise<void> {
  for (const name of names) {
    await enqueueJob(api.db, name, {} satisfies Jobs[typeof name]);
    await untilIdle(api);
  }
}

/** Waits until no job is due any more, nor soon: one that failed, because rows were locked, is repeated after seconds. */
export async function untilIdle(api: TestApi): Promise<void> {
  // Hooks call this, too, where `expect.poll` is not available.
  await vi.waitFor(
    async () => {
      expect(await api.db.select({ name: outgoingJobs.name }).from(outgoingJobs)).toEqual([]);
      const due = await api.db.execute(
        sql`select task_identifier, last_error from graphile_worker.jobs
          where run_at <= now() + case when attempts between 1 and max_attempts - 1 then interval '10 seconds' else '0' end`,
      );
      expect([...due]).toEqual([]);
    },
    { timeout: 40_000, interval: 20 },
  );
}

/**
 * Waits for the transactions under way in the server, among them those of other test files: until then, consumers of
 * activities take nothing that is newer.
 */
export async function allSettled({ db }: Pick<TestApi, 'db'>): Promise<void> {
  const [begun] = await db.execute<{ next: string }>(
    sql`select pg_snapshot_xmax(pg_current_snapshot())::text as next`,
  );
  const oldest = sql`select pg_snapshot_xmin(pg_current_snapshot()) >= ${begun?.next}::xid8 as is_later`;
  await vi.waitFor(
    async () => expect([...(await db.execute(oldest))]).toEqual([{ is_later: true }]),
    {
      timeout: 20_000,
      interval: 20,
    },
  );
}

/** Waits until the consumers of the activities have begun in every organization that has any, and have taken everything. */
export async function untilFollowed(api: TestApi): Promise<void> {
  await vi.waitFor(
    async () => {
      const unbegun = await api.db.execute(
        sql`select id from organizations, (values ('notifications'), ('search')) as wanted(consumer)
          where (type = 'TEAM' or wanted.consumer = 'search') and deleted_at is null
          and id in (select organization_id from activities) and not exists (
            select from log_positions where organization_id = organizations.id and consumer = wanted.consumer)`,
      );
      expect([...unbegun]).toEqual([]);
      expect(await behindAtAll(api.db)).toEqual([]);
    },
    { timeout: 20_000, interval: 20 },
  );
}

/** Lists the whole bucket. */
export async function storedKeys({ deps }: Pick<TestApi, 'deps'>): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of deps.store.listObjects('')) keys.push(...page.map(({ key }) => key));
  return keys;
}

/** Asserts that storage and database agree: each referenced object exists, no others do, and usage is exact. */
export async function expectAgreement(api: TestApi): Promise<void> {
  await untilIdle(api);
  const rows = await api.db.selectDistinct({ key: storedObjects.key }).from(storedObjects);
  const inStorage = await storedKeys(api);
  expect(inStorage.toSorted()).toEqual(rows.map(({ key }) => key).toSorted());
  const wrong = await api.db.execute(sql`
    select o.id, coalesce(u.storage_bytes, 0)::float8 as counted, coalesce(d.bytes, 0)::float8 as defined
    from organizations o
    left join organization_usage u on u.organization_id = o.id
    left join (
      select organization_id, sum(size_bytes) as bytes
      from (select distinct v.organization_id, s.id, s.size_bytes
            from asset_versions v
            join stored_objects s on s.organization_id = v.organization_id and s.id = v.stored_object_id) distinct_objects
      group by organization_id
    ) d on d.organization_id = o.id
    where coalesce(u.storage_bytes, 0) <> coalesce(d.bytes, 0)`);
  expect(wrong).toEqual([]);
}
