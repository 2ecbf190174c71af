// @module-tag slow

import type { Role } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { connectDatabase } from '../db/client.ts';
import type { ObjectStore } from '../ports/object-store.ts';
import { newUser, nextMail, type TestUser } from '../testing/accounts.ts';
import { activityWalk } from '../testing/activity-walk.ts';
import { avatarSteps } from '../testing/avatars.ts';
import { call, startTestApi, type TestApi } from '../testing/api.ts';
import { configuredAdmin } from '../testing/feature-fixtures.ts';
import { newStoryTeam } from '../testing/fixture-parts.ts';
import { stories } from './fixtures.ts';
import { corruptions } from '../testing/corruptions.ts';
import { createDatabase, databaseOf, newDatabaseName, withDatabase } from '../testing/databases.ts';
import { invitationTokenIn } from '../testing/invitations.ts';
import { deleteAtOnce } from '../jobs/delete-account/testing.ts';
import { initiate, newCollection, untilIdle, uploadFile } from '../testing/library.ts';
import { operate } from '../testing/operator.ts';
import { somePng } from '../testing/pictures.ts';
import { newTask } from '../testing/work.ts';

let environment: Record<string, string>;
let ownerUrl: string;
let store: ObjectStore;
let openApi: TestApi | null = null;
afterAll(() => openApi?.close());

const verify = (databaseUrl = environment['DATABASE_URL'] ?? '') =>
  operate(['verify'], { ...environment, DATABASE_URL: databaseUrl });

/** Calls every mutation of the contract, and closes all connections. */
async function liveThroughEverything(): Promise<void> {
  const api = await startTestApi({ ADMIN_EMAILS: configuredAdmin() });
  openApi = api;
  ownerUrl = api.ownerUrl;
  const [ada, bob, viewer, stranger] = await Promise.all([
    newUser(api, 'ada'),
    newUser(api, 'bob'),
    newUser(api, 'viewer'),
    newUser(api, 'stranger'),
  ]);
  const people = { ada, bob, viewer, stranger };
  const { walk } = activityWalk(
    () => api,
    () => people,
  );
  const story = { api, walk, people, ...(await newStoryTeam(api, people)) };
  for (const [, tell] of stories) await tell(story);
  await recordShortcuts(api);
  await leaveSomethingEverywhere(api);
  await deleteAtOnce(api, await newUser(api, 'gone'));
  await untilIdle(api);
  environment = Object.fromEntries(
    ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'DATABASE_URL'].map((name) => [
      name,
      String(api.config[name as keyof typeof api.config]),
    ]),
  );
  store = api.deps.store;
  await api.close();
  openApi = null;
}

/** In the stories some people join without an invitation, which no operation allows. */
async function recordShortcuts({ db }: TestApi): Promise<void> {
  await db.execute(sql`
    insert into activities (id, action, actor_id, organization_id, resource_type, resource_id,
      resource_name, changes, metadata, request_id, created_at)
    select gen_random_uuid(), 'member.join', user_id, organization_id, 'member', memberships.id, '', '[]',
      jsonb_build_object('invitationId', gen_random_uuid()), memberships.id::text, joined_at
    from memberships join organizations on organizations.id = organization_id
    where joined_at <> created_at and not exists (
      select 1 from activities where resource_id = memberships.id and action = 'member.join')`);
}

/** The resources that the stories delete again. */
async function leaveSomethingEverywhere(api: TestApi): Promise<void> {
  const [late, guest] = await Promise.all([newUser(api, 'late'), newUser(api, 'guest')]);
  const collectionId = await newCollection(api, late);
  const picture = { fileName: 'a.png', contentType: 'image/png', content: await somePng() };
  await initiate(api, late, picture, { collectionId });
  const asset = await uploadFile(api, late, picture, { collectionId });
  const share = { targetType: 'COLLECTION', targetId: collectionId };
  await call(api, 'shares.create', { token: late.token, body: share });
  await avatarSteps(() => api).upload(late, picture.content);
  const as = { token: late.token };
  const refreshed = await call(api, 'auth.refresh', { body: { refreshToken: late.refreshToken } });
  expect(refreshed.status).toBe(200);

  const team = await call(api, 'organizations.create', { ...as, body: { name: 'Late' } });
  const params = { id: team.body.data.id };
  const body = { email: guest.email, role: 'MEMBER' };
  expect((await call(api, 'organizations.invite', { ...as, params, body })).status).toBe(201);
  const token = invitationTokenIn(await nextMail(guest.email, 2));
  const accepted = { token: guest.token, params: { token } };
  expect((await call(api, 'organizations.acceptInvitation', accepted)).status).toBe(200);

  await inviteTwice(api, late, String(params.id));
  await inviteTwice(api, late, (await newTeamOf(api, late)).id);

  const project = await call(api, 'projects.create', { ...as, body: { name: 'Late' } });
  const projectId = project.body.data.id;
  const task = await newTask(api, late, { projectId, assigneeIds: [late.id] });
  await newTask(api, late, { projectId });
  const comment = { ...as, params: { taskId: task.id }, body: { body: 'Late' } };
  const headers = { 'idempotency-key': 'late' };
  expect((await call(api, 'comments.create', { ...comment, headers })).status).toBe(201);
  const onAsset = { ...as, params: { id: asset.id } };
  const posted = await call(api, 'assetComments.create', { ...onAsset, body: { body: 'Late' } });
  const reply = { body: 'Late reply', parentId: posted.body.data.id };
  expect((await call(api, 'assetComments.create', { ...onAsset, body: reply })).status).toBe(201);
}

/** One address, twice while the first offer is open, and again after a revocation. */
async function inviteTwice(api: TestApi, { token }: TestUser, id: string): Promise<void> {
  const offer = (role: Role) =>
    call(api, 'organizations.invite', {
      token,
      params: { id },
      body: { email: 'invited-twice@example.com', role },
    });
  await offer('MEMBER');
  const { body } = await offer('ADMIN');
  const about = { token, params: { id, invitationId: body.data.id } };
  expect((await call(api, 'organizations.revokeInvitation', about)).status).toBe(200);
  expect((await offer('VIEWER')).status).toBe(201);
  expect((await offer('MEMBER')).status).toBe(201);
}

async function newTeamOf(api: TestApi, { token }: TestUser): Promise<{ id: string }> {
  const { body } = await call(api, 'organizations.create', { token, body: { name: 'Other' } });
  return { id: String(body.data.id) };
}

test('every operation of the contract keeps all invariants', async () => {
  await liveThroughEverything();
  const { exitCode, stdout, stderr } = await verify();
  expect(stderr).toBe('');
  expect(stdout).toMatch(/verify: \d+ hold, 0 broken$/);
  expect(exitCode).toBe(0);
});

/** Changes a copy of the database in a way that no operation would, bypassing its constraints. */
async function verifyAfter(
  corruption: string,
): Promise<{ broken: string[]; exitCode: number | null; stdout: string }> {
  const name = newDatabaseName();
  const template = databaseOf(ownerUrl);
  await createDatabase(inject('services').postgresUrl, { name, template });
  const url = withDatabase(ownerUrl, name);
  const { db, close } = connectDatabase({ url, maxConnections: 1, statementTimeoutMs: 5_000 });
  await db.execute(sql`set session_replication_role = replica`);
  await db.execute(sql`alter table activities disable trigger all`);
  await db.execute(sql`alter table account_activities disable trigger all`);
  for (const statement of corruption.split(';')) await db.execute(sql.raw(statement));
  await close(1);
  const { stdout, exitCode } = await verify(url);
  const broken = [...stdout.matchAll(/^BROKEN  ([a-z-]+):/gm)].map(([, check]) => String(check));
  return { broken, exitCode, stdout };
}

test.each(corruptions)('%s names %s', async (check, _what, corruption, beside = []) => {
  const { broken, exitCode, stdout } = await verifyAfter(corruption);
  expect(broken.toSorted()).toEqual([check, ...beside].toSorted());
  expect(stdout).toMatch(/; \d+ not so\n {10}\S/);
  expect(exitCode).toBe(1);
});

test('every check of the database has failed at least once', async () => {
  const { stdout } = await verify();
  const checks = [...stdout.matchAll(/^ok +([a-z-]+):/gm)].map(([, check]) => String(check));
  const injected = new Set([...corruptions.map(([check]) => check), 'known-objects']);
  expect(checks.length).toBeGreaterThan(20);
  expect(checks.filter((check) => !injected.has(check))).toEqual([]);
});

describe('objects in the storage', () => {
  const put = (key: string) =>
    store.putObject({ key, content: Buffer.from('x'), contentType: 'text/plain' });

  test.each(['avatar/nobody/1.webp', 'elsewhere/1'])('%s has no row: named', async (key) => {
    await put(key);
    const { exitCode, stdout } = await verify();
    await store.deleteObject(key);
    expect(stdout).toContain(`BROKEN  known-objects: `);
    expect(stdout).toContain(`\n          ${key}\n`);
    expect(exitCode).toBe(1);
  });

  test('counts objects that the janitor will remove separately, not as violations', async () => {
    const before = (await verify()).stdout;
    expect(before).toContain('0 expired uploads, 0 multipart uploads, 0 objects');
    const key = 'collection/nobody/1/a';
    await put(key);
    const upload = { key, contentType: 'text/plain' };
    const storageUploadId = await store.createMultipartUpload(upload);
    const { exitCode, stdout } = await verify();
    await store.abortMultipartUpload({ key, storageUploadId });
    await store.deleteObject(key);
    expect(stdout).toContain(
      'Left for the janitor: 0 expired uploads, 1 multipart uploads, 1 objects',
    );
    expect(exitCode).toBe(0);
  });

  test.each(['collection/', 'thumbnail/'])('a lost object of %s is reported', async (prefix) => {
    const { value: page } = await store.listObjects(prefix)[Symbol.asyncIterator]().next();
    const key = String(page?.[0]?.key);
    const content = await store.readObject({ key, maxBytes: 1_000_000 });
    if (!Buffer.isBuffer(content)) throw new Error(`${key} is not there to be lost`);
    await store.deleteObject(key);
    const { exitCode, stdout } = await verify();
    await store.putObject({ key, content, contentType: 'image/webp' });
    expect(stdout).toMatch(/BROKEN {2}stored-objects: .*; 1 not so/);
    expect(stdout).toContain(`\n          ${key}\n`);
    expect(exitCode).toBe(1);
  });

  test('without the storage there is no result', async () => {
    const { exitCode, stderr } = await operate(['verify'], {
      ...environment,
      S3_ENDPOINT: 'http://127.0.0.1:1',
    });
    expect([exitCode, stderr]).toEqual([
      1,
      'The file storage at http://127.0.0.1:1 could not be used.',
    ]);
  });
});
