import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { taskAssets } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { logIn, newUser } from '../../testing/accounts.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { purgeBin } from '../../testing/bin.ts';
import { insertTask, newProject } from '../../testing/board.ts';
import { crowd, crowdVariables, times } from '../../testing/crowd.ts';
import { inspected, someFile, uploadFile } from '../../testing/library.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser(crowdVariables);
let { token } = user;

async function team() {
  const { id: organizationId } = await newTeam(api, user);
  const by = { token, organizationId };
  const projectId = await newProject(api, by);
  const newTask = () => insertTask(api, { organizationId, projectId, createdBy: user });
  const collection = await call(api, 'collections.create', { ...by, body: { title: 'Pictures' } });
  const collectionId = String(collection.body.data.id);
  const newAsset = async (name = 'notes.bin') =>
    (await uploadFile(api, { token }, someFile(10, name), { collectionId, organizationId })).id;
  const attach = (id: string, assetId: string, options: CallOptions = {}) =>
    call(api, 'taskAssets.attach', { ...by, params: { id, assetId }, ...options });
  const detach = (id: string, assetId: string, options: CallOptions = {}) =>
    call(api, 'taskAssets.detach', { ...by, params: { id, assetId }, ...options });
  const list = (id: string, query = {}, options: CallOptions = {}) =>
    call(api, 'taskAssets.list', { ...by, params: { id }, query, ...options });
  const idsOn = async (id: string) =>
    (await list(id)).body.data.items.map((asset: { id: string }) => asset.id);
  const countOn = async (id: string) =>
    (await call(api, 'tasks.get', { ...by, params: { id } })).body.data.attachmentCount;
  const bin = (id: string) => call(api, 'assets.remove', { ...by, params: { id } });
  const restore = (id: string) => call(api, 'assets.restore', { ...by, params: { id } });
  /** Adds assets with the content of another one. */
  const copies = async (of: string, count: number) => {
    const rows = await api.db.execute<{ id: string }>(sql`
      with copied as (
        insert into assets (id, organization_id, collection_id, name, content_type, file_size_bytes, current_version, short_code, created_by, created_at, updated_at)
        select uuidv7(), organization_id, collection_id, name, content_type, file_size_bytes, 1, gen_random_uuid()::text, created_by, created_at, updated_at
        from assets, generate_series(1, ${count}) where id = ${of} returning *),
      versions as (
        insert into asset_versions (asset_id, version_number, organization_id, stored_object_id, content_type, created_by, created_at)
        select copied.id, 1, copied.organization_id, stored_object_id, version.content_type, version.created_by, version.created_at
        from copied, asset_versions version where version.asset_id = ${of} returning 1)
      select id from copied`);
    return rows.map(({ id }) => id);
  };
  const places = { by, organizationId, projectId, collectionId };
  const made = { newTask, newAsset, copies };
  return { ...places, ...made, attach, detach, list, idsOn, countOn, bin, restore };
}

const rowsOf = (taskId: string) =>
  api.db.select().from(taskAssets).where(eq(taskAssets.taskId, taskId));
const actionsOf = async (id: string) => (await activitiesOf(api, id)).map(({ action }) => action);

describe('attaching', () => {
  test('responds with the task, lists the asset as the library does, and records one activity', async () => {
    const { by, projectId, newTask, newAsset, attach, list } = await team();
    const [id, assetId] = [await newTask(), await newAsset('logo.bin')];
    const { status, body } = await attach(id, assetId);
    expect([status, body.message]).toEqual([200, 'Asset attached']);
    expect(body.data).toMatchObject({ id, attachmentCount: 1 });
    // The inspection adds a checksum, otherwise maybe between the two.
    await inspected(api, assetId);
    const { body: listed } = await list(id);
    const { body: asset } = await call(api, 'assets.get', { ...by, params: { id: assetId } });
    const { assetLongUrl: _, ...fields } = asset.data;
    expect(listed.data.items).toEqual([
      expect.objectContaining({
        ...fields,
        attachedBy: user.id,
        attachedAt: expect.stringMatching(/Z$/),
      }),
    ]);
    expect(await activitiesOf(api, id)).toEqual([
      expect.objectContaining({
        action: 'task.attach',
        resourceType: 'task',
        resourceName: 'Write the imprint',
        metadata: { projectId, assetId, assetName: 'logo.bin' },
      }),
    ]);
  });

  test('twice is one attachment and one activity', async () => {
    const { newTask, newAsset, attach, countOn } = await team();
    const [id, assetId] = [await newTask(), await newAsset()];
    await attach(id, assetId);
    const { status, body } = await attach(id, assetId);
    expect([status, body.data.attachmentCount]).toEqual([200, 1]);
    expect(await rowsOf(id)).toHaveLength(1);
    expect(await actionsOf(id)).toEqual(['task.attach']);
    expect(await countOn(id)).toBe(1);
  });

  test('in parallel, attaches once, and never more than 50', async () => {
    const { organizationId, newTask, newAsset, attach, copies, countOn } = await team();
    const [id, assetId] = [await newTask(), await newAsset()];
    const others = await copies(assetId, 55);
    await api.db.insert(taskAssets).values(
      others.slice(0, 45).map((other) => ({
        organizationId,
        taskId: id,
        assetId: other,
        attachedBy: user.id,
        attachedAt: new Date(),
      })),
    );
    const task = sql`select id from tasks where id = ${id}`;
    const responses = await crowd(
      api,
      task,
      times(20, (index) => () => attach(id, others[45 + (index % 10)] ?? '')),
    );
    const codes = responses.map(({ status, body }) => [status, body.code]);
    expect(codes.filter(([status]) => status === 200)).toHaveLength(10);
    expect(codes.filter(([, code]) => code === 'too_many_task_assets')).toHaveLength(10);
    expect(await countOn(id)).toBe(50);
    expect(await rowsOf(id)).toHaveLength(50);
  });

  test('finds neither an asset in the bin, nor one of another organization, nor an unknown task', async () => {
    const { newTask, newAsset, attach, bin } = await team();
    const other = await team();
    const [id, binned] = [await newTask(), await newAsset()];
    await bin(binned);
    for (const assetId of [binned, await other.newAsset(), newId()]) {
      const { status, body } = await attach(id, assetId);
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    const assetId = await newAsset();
    for (const taskId of [newId(), await other.newTask()]) {
      expect((await attach(taskId, assetId)).status).toBe(404);
    }
    expect(await rowsOf(id)).toEqual([]);
    expect(await actionsOf(id)).toEqual([]);
  });

  test('is for those who may edit the task', async () => {
    const { organizationId, newTask, newAsset, attach, detach, list } = await team();
    const [viewer, member] = await Promise.all([newUser(api), newUser(api)]);
    await joinTeam(api, organizationId, viewer, 'VIEWER');
    await joinTeam(api, organizationId, member, 'MEMBER');
    const [id, assetId] = [await newTask(), await newAsset()];
    const asViewer = { token: viewer.token };
    expect((await attach(id, assetId, asViewer)).status).toBe(403);
    expect((await attach(id, assetId, { token: member.token })).status).toBe(200);
    expect((await list(id, {}, asViewer)).body.data.items).toHaveLength(1);
    expect((await detach(id, assetId, asViewer)).status).toBe(403);
    expect((await detach(id, assetId, { token: member.token })).status).toBe(200);
  });
});

describe('detaching', () => {
  test('keeps the asset, and records one activity', async () => {
    const { by, newTask, newAsset, attach, detach, idsOn } = await team();
    const [id, assetId] = [await newTask(), await newAsset()];
    await attach(id, assetId);
    const { status, body } = await detach(id, assetId);
    expect([status, body.message, body.data.attachmentCount]).toEqual([200, 'Asset detached', 0]);
    expect(await idsOn(id)).toEqual([]);
    expect((await call(api, 'assets.get', { ...by, params: { id: assetId } })).status).toBe(200);
    expect((await detach(id, assetId)).status).toBe(404);
    expect(await actionsOf(id)).toEqual(['task.attach', 'task.detach']);
  });
});

describe('an attached asset', () => {
  test('is hidden in the bin, comes back from it, and is gone after the purge', async () => {
    const { newTask, newAsset, attach, detach, idsOn, countOn, bin, restore } = await team();
    const [id, assetId] = [await newTask(), await newAsset()];
    await attach(id, assetId);
    await bin(assetId);
    expect([await idsOn(id), await countOn(id)]).toEqual([[], 0]);
    expect((await detach(id, assetId)).status).toBe(404);
    await restore(assetId);
    expect([await idsOn(id), await countOn(id)]).toEqual([[assetId], 1]);
    await bin(assetId);
    api.clock.advance({ seconds: 30 * 24 * 60 * 60 + 1 });
    await purgeBin(api);
    ({ token } = await logIn(api, user));
    expect(await rowsOf(id)).toEqual([]);
  });

  test('stays in the library when its task is deleted', async () => {
    const { by, newTask, newAsset, attach, list } = await team();
    const [id, assetId] = [await newTask(), await newAsset()];
    await attach(id, assetId);
    await call(api, 'tasks.remove', { ...by, params: { id } });
    expect((await list(id)).status).toBe(404);
    expect(await rowsOf(id)).toEqual([]);
    expect((await call(api, 'assets.get', { ...by, params: { id: assetId } })).status).toBe(200);
  });
});

test('the list has all assets in both orders, page by page', async () => {
  const { newTask, newAsset, attach, list, copies } = await team();
  const [id, first] = [await newTask(), await newAsset()];
  const ids = [first, ...(await copies(first, 4)).toReversed()];
  for (const assetId of ids) {
    await attach(id, assetId);
    api.clock.advance({ seconds: 1 });
  }
  for (const sort of ['attachedAt', '-attachedAt']) {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await list(id, { sort, limit: '2', ...(cursor && { cursor }) });
      found.push(...body.data.items.map((asset: { id: string }) => asset.id));
      expect(body.data.pagination.total).toBe(5);
      cursor = body.data.pagination.nextCursor;
    } while (cursor);
    expect(found).toEqual(sort === 'attachedAt' ? ids : ids.toReversed());
  }
});
