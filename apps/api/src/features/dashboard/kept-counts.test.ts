// @module-tag slow

import { taskStatuses } from '@atelier/contract';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { assets, collections, organizationUsage, projects } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { purgeBin, purgeOrganization } from '../../jobs/purge-bin/purge-bin.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { expectExactCounts } from '../../testing/kept-counts.ts';
import { newCollection, someFile, uploadFile } from '../../testing/library.ts';
import { newTeam } from '../../testing/organizations.ts';
import { newTeamCollection } from '../../testing/publishing.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { newProject, newTask } from '../../testing/work.ts';

const api = await setUpApi();

const times = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

async function figuresOf({ token }: TestUser, organizationId?: string) {
  const { status, body } = await call(api, 'dashboard.summary', {
    token,
    ...(organizationId !== undefined && { organizationId }),
  });
  expect(status).toBe(200);
  return {
    assets: body.data.assets.count,
    collections: body.data.collections,
    tasks: body.data.tasks,
  };
}

const newAsset = (user: TestUser, collectionId: string) =>
  uploadFile(api, user, someFile(5), { collectionId });

type Operation = Parameters<typeof call>[1];

const change = (user: TestUser, operation: Operation, id: string) =>
  call(api, operation, { token: user.token, params: { id } });

test('parallel uploads, deletions, restorations and purges leave the counts of a library exact', async () => {
  const user = await newUser(api);
  const [into, doomed] = [await newCollection(api, user), await newCollection(api, user)];
  const existing = await times(6, (index) => newAsset(user, index < 3 ? into : doomed));
  const binned = await times(4, () => newAsset(user, into));
  await times(4, (index) => change(user, 'assets.remove', String(binned[index]?.id)));
  await Promise.all([
    times(6, () => newAsset(user, into)),
    times(6, (index) => change(user, 'assets.remove', String(existing[index]?.id))),
    times(2, (index) => change(user, 'assets.restore', String(binned[index]?.id))),
    change(user, 'collections.remove', doomed),
    times(3, () => newCollection(api, user)),
    purgeBin(api.deps),
  ]);
  await expectExactCounts(api);
  await Promise.all([
    change(user, 'collections.restore', doomed),
    ...existing.map(({ id }) => change(user, 'assets.restore', id)),
    ...existing.map(({ id }) => change(user, 'assets.remove', id)),
    purgeOrganization(api, user.organizationId).catch(() => undefined),
  ]);
  await expectExactCounts(api);
});

test('parallel creations, moves and deletions leave the counts of all columns exact', async () => {
  const user = await newUser(api);
  const projectId = await newProject(api, user);
  const existing = await times(8, () => newTask(api, user, { projectId }));
  await Promise.all([
    times(6, (index) => newTask(api, user, { projectId, status: taskStatuses[index] })),
    ...existing.map(({ id }, index) =>
      index % 3 === 0
        ? change(user, 'tasks.remove', id)
        : call(api, 'tasks.update', {
            token: user.token,
            params: { id },
            body: { status: taskStatuses[(index * 5) % 6] },
          }),
    ),
  ]);
  await expectExactCounts(api);
  expect((await figuresOf(user)).tasks.total).toBe(8 + 6 - 3);
});

test('a deleted organization counts nothing, whatever is left in its bin', async () => {
  const user = await newUser(api);
  const { id } = await newTeam(api, user);
  const collectionId = await newTeamCollection(api, user, id);
  await uploadFile(api, user, someFile(5), { collectionId, organizationId: id });
  expect(await figuresOf(user, id)).toMatchObject({ assets: 1, collections: 1 });
  const removed = await call(api, 'organizations.remove', {
    token: user.token,
    params: { id },
    query: { confirmName: 'Analytical Engines' },
  });
  expect(removed.status).toBe(200);
  const [usage] = await api.db
    .select({
      assets: organizationUsage.assetCount,
      collections: organizationUsage.collectionCount,
    })
    .from(organizationUsage)
    .where(eq(organizationUsage.organizationId, id));
  expect(usage).toEqual({ assets: 0, collections: 0 });
  await expectExactCounts(api);
});

test('statements of an older release, and of many rows of many organizations, are counted', async () => {
  const users = await times(2, () => newUser(api));
  const into = await times(2, (index) => newCollection(api, users[index] as TestUser));
  await times(2, (index) => newAsset(users[index] as TestUser, String(into[index])));
  await api.db.execute(sql`
    insert into assets (id, organization_id, collection_id, name, content_type, file_size_bytes, current_version,
      short_code, created_by, created_at, updated_at)
    select gen_random_uuid(), organization_id, collection_id, name, content_type, file_size_bytes, 1,
      left(md5(random()::text), 16), created_by, created_at, updated_at
    from assets, generate_series(1, 1000) where collection_id in ${into}`);
  const countOf = async () => await times(2, (index) => figuresOf(users[index] as TestUser));
  expect(await countOf()).toMatchObject([{ assets: 1001 }, { assets: 1001 }]);
  await api.db.execute(sql`update assets set deleted_at = now() where collection_id in ${into}`);
  expect(await countOf()).toMatchObject([{ assets: 0 }, { assets: 0 }]);
  await api.db.execute(sql`update assets set deleted_at = null where collection_id in ${into}`);
  await api.db.execute(sql`update assets set name = 'same' where collection_id in ${into}`);
  await api.db.execute(sql`
    delete from assets where collection_id = ${into[0] ?? ''} and id not in (select asset_id from asset_versions)`);
  expect(await countOf()).toMatchObject([{ assets: 1 }, { assets: 1001 }]);
  await expectExactCounts(api);
});

test('a change that counts nothing doesn’t wait for the counts', async () => {
  const user = await newUser(api);
  const { id } = await newAsset(user, await newCollection(api, user));
  await api.db.transaction(async (tx) => {
    await tx.execute(
      sql`select 1 from organization_usage where organization_id = ${user.organizationId} for update`,
    );
    const renamed = await call(api, 'assets.update', {
      token: user.token,
      params: { id },
      body: { name: 'renamed.bin' },
    });
    expect(renamed.status).toBe(200);
  });
});

test('a database without triggers counts when it is asked', async () => {
  const user = await newUser(api);
  const projectId = await newProject(api, user);
  await newTask(api, user, { projectId, status: 'DONE' });
  await newTask(api, user, { projectId, status: 'TODO' });
  await newAsset(user, await newCollection(api, user));
  const kept = await figuresOf(user);
  expect(kept).toMatchObject({ assets: 1, collections: 1, tasks: { total: 2 } });
  await api.db
    .update(organizationUsage)
    .set({ assetCount: null, collectionCount: null })
    .where(eq(organizationUsage.organizationId, user.organizationId));
  await api.db
    .update(projects)
    .set({ taskCounts: null })
    .where(eq(projects.organizationId, user.organizationId));
  expect(await figuresOf(user)).toEqual(kept);
});

test('a change that is rolled back is not counted', async () => {
  const user = await newUser(api);
  const collectionId = await newCollection(api, user);
  await newAsset(user, collectionId);
  const rolledBack = api.db.transaction(async (tx) => {
    await tx.delete(collections).where(eq(collections.id, newId()));
    await tx
      .update(assets)
      .set({ deletedAt: new Date() })
      .where(eq(assets.collectionId, collectionId));
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  expect(await figuresOf(user)).toMatchObject({ assets: 1 });
});
