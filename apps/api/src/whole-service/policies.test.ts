// @module-tag slow

import { operations } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkPolicies } from '../process.ts';
import { newUser, type TestUser } from '../testing/accounts.ts';
import { call, cloneDatabase, type TestApi } from '../testing/api.ts';
import { asService, migrateForService } from '../testing/databases.ts';
import { filledTeam, type FilledTeam } from '../testing/filled-team.ts';
import { passingTables } from '../testing/tenant-rows.ts';
import { findInputs } from './fixtures.ts';
import { setUpApi } from '../testing/set-up.ts';
import { tenantTables } from '../db/catalogue.ts';
import { connectDatabase } from '../db/client.ts';
import { migrateDatabase } from '../db/migrate.ts';
import { assertPolicies } from '../db/policies.ts';
import { createScopes, type Visibility, type Scopes } from '../db/scopes.ts';
let scopes: Scopes;
let ada: TestUser;
let ours: FilledTeam;
let theirs: FilledTeam;

const api = await setUpApi({ DATABASE_ROW_LEVEL_SECURITY: 'true' });
beforeAll(async () => {
  if (!api.deps.scopes) throw new Error('the option is off');
  ({ scopes } = api.deps);
  const [one, other] = await Promise.all([newUser(api, 'ada'), newUser(api, 'bob')]);
  ada = one;
  ours = await filledTeam(api, { owner: one, member: other, mark: 'ours', times: 2 });
  theirs = await filledTeam(api, { owner: other, member: one, mark: 'theirs', times: 2 });
});

const tables = tenantTables.map(({ name }) => name);

/** The existing policies, and the tables that they protect. */
async function secured({ db }: Pick<TestApi, 'db'>) {
  const policies = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_policies where schemaname = 'public' order by 1`,
  );
  const enabled = await db.execute<{ name: string }>(sql`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relrowsecurity order by 1`);
  return {
    policies: policies.map(({ name }) => name),
    enabled: enabled.map(({ name }) => name),
  };
}

/** The rows that statements without any condition find, each in its own transaction. */
async function organizationsSeen(visibility: Visibility | null, table: string): Promise<string[]> {
  const read = () =>
    api.deps.db.execute<{ id: string }>(
      sql.raw(`select distinct coalesce(organization_id::text, 'none') as id from ${table}`),
    );
  const rows = await (visibility === null ? read() : scopes.within(visibility, async () => read()));
  return rows.map(({ id }) => id).toSorted();
}

describe('a statement that forgets the organization', () => {
  test.each(tables.filter((table) => !passingTables.has(table)))(
    'finds no rows of other organizations in %s',
    async (table) => {
      const { organizationId: us } = ours;
      const { organizationId: them } = theirs;
      const all = await organizationsSeen('everywhere', table);
      expect(all).toEqual(expect.arrayContaining([us, them]));
      expect(await organizationsSeen(null, table)).toEqual([]);
      expect(await organizationsSeen([], table)).toEqual([]);
      expect(await organizationsSeen([us], table)).toEqual([us]);
      expect(await organizationsSeen([us, them], table)).toEqual([us, them].toSorted());
    },
  );

  test.each([
    'update tasks set title = title returning organization_id as id',
    'delete from task_assignees returning organization_id as id',
    'select organization_id as id from assets for update',
  ])('changes and locks no rows of others: %s', async (statement) => {
    let ids: string[] = [];
    const undone = scopes.within([ours.organizationId], () =>
      api.deps.db.transaction(async (tx) => {
        const rows = await tx.execute<{ id: string }>(sql.raw(statement));
        ids = rows.map(({ id }) => id);
        throw new Error('undone');
      }),
    );
    await expect(undone).rejects.toThrow('undone');
    expect(new Set(ids)).toEqual(new Set([ours.organizationId]));
  });

  test('adds nothing to others, and moves nothing there', async () => {
    const { organizationId: us } = ours;
    const { organizationId: them } = theirs;
    const within = (text: string) =>
      scopes.within([us], async () => api.deps.db.execute(sql.raw(text)));
    const refused = { cause: { code: '42501' } };
    const favorite = `insert into asset_favorites (organization_id, user_id, asset_id, created_at)
      values ('${them}', '${ada.id}', '${theirs.assetId}', now())`;
    await expect(within(favorite)).rejects.toMatchObject(refused);
    const moved = `update collections set organization_id = '${them}'`;
    await expect(within(moved)).rejects.toMatchObject(refused);
  });
});

describe('a scope', () => {
  test('holds for many concurrent requests on few connections', async () => {
    const reaches = [ours, theirs].map(({ organizationId }) => organizationId);
    const seen = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const id = reaches[index % 2] ?? '';
        const first = await organizationsSeen([id], 'tasks');
        return [id, first, await organizationsSeen([id], 'assets')];
      }),
    );
    expect(seen).toEqual(seen.map(([id]) => [id, [id], [id]]));
    expect(await organizationsSeen(null, 'tasks')).toEqual([]);
  });

  test('ends after a statement that fails', async () => {
    const { organizationId } = ours;
    const failing = scopes.within([organizationId], async () =>
      api.deps.db.execute(sql`select 1 / (select 0)`),
    );
    await expect(failing).rejects.toMatchObject({ cause: { code: '22012' } });
    expect(await organizationsSeen(null, 'tasks')).toEqual([]);
    expect(await organizationsSeen([organizationId], 'tasks')).toEqual([organizationId]);
  });

  test('is of ids alone', () => {
    expect(() => scopes.within([`x'; drop table tasks; --`], async () => undefined)).toThrow();
  });
});

test('every read of the contract responds as before', async () => {
  const { organizationId } = ours;
  const reads = operations.filter(({ endpoint }) => endpoint.method === 'GET');
  const found: [string, number][] = [];
  for (const { id, endpoint } of reads) {
    if (endpoint.metadata.success.isStream || endpoint.metadata.access.kind === 'public') continue;
    for (const input of findInputs(id, ours) ?? []) {
      const { status } = await call(api, id, { ...input, token: ada.token, organizationId });
      found.push([id, status]);
    }
  }
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter(([, status]) => status !== 200)).toEqual([]);
});

describe('migrations', () => {
  test('give a policy to every table of organizations, and to no other', async () => {
    const sorted = tables.toSorted();
    expect(sorted).toContain('activities');
    expect(await secured(api)).toEqual({ policies: sorted, enabled: sorted });
  });

  test('creates and drops them, in parallel and repeatedly', async () => {
    const url = await cloneDatabase();
    const { db, close } = connectDatabase({ url, maxConnections: 1, statementTimeoutMs: 5_000 });
    const nothing = { policies: [], enabled: [] };
    expect(await secured({ db })).toEqual(nothing);
    for (const isOn of [true, false]) {
      await Promise.all([1, 2, 3].map(() => migrateDatabase(url, null, isOn)));
      const names = isOn ? tables.toSorted() : [];
      expect(await secured({ db })).toEqual({ policies: names, enabled: names });
    }
    await close(1);
  });

  test('replaces a policy with another text, and leaves the others alone', async () => {
    const url = await cloneDatabase();
    const { client, close } = connectDatabase({
      url,
      maxConnections: 1,
      statementTimeoutMs: 5_000,
    });
    const policies = async () => {
      const rows = await client<{ table: string; oid: number; text: string }[]>`
        select polrelid::regclass::text as table, oid::int, pg_get_expr(polqual, polrelid) as text
        from pg_policy where polrelid in ('tasks'::regclass, 'assets'::regclass) order by 1`;
      return rows.map(({ oid, text }) => ({ oid, text }));
    };
    await migrateDatabase(url, null, true);
    const [ofAssets, ofTasks] = await policies();
    await client.unsafe(`drop policy of_organization on tasks;
      create policy of_organization on tasks using (true)`);
    await migrateDatabase(url, null, true);
    const [keptOfAssets, newOfTasks] = await policies();
    expect(keptOfAssets).toEqual(ofAssets);
    expect(newOfTasks?.text).toBe(ofTasks?.text);
    expect(newOfTasks?.oid).not.toBe(ofTasks?.oid);
    await close(1);
  });
});

describe('a service starts', () => {
  const refusal = async (url: string, isWanted: boolean): Promise<string | null> => {
    const connection = { url, maxConnections: 1, statementTimeoutMs: 5_000 };
    const { db, close } = connectDatabase({ ...connection, scopes: createScopes() });
    const error = await assertPolicies(db, isWanted).then(
      () => null,
      (thrown: unknown) => thrown as Error,
    );
    await close(1);
    return error?.message ?? null;
  };

  test('only if the policies match the configuration', async () => {
    await expect(checkPolicies(api.deps)).resolves.toBeUndefined();
    const url = await cloneDatabase();
    expect(await refusal(asService(url), false)).toBeNull();
    expect(await refusal(asService(url), true)).toContain('DATABASE_ROW_LEVEL_SECURITY is true');
    await migrateDatabase(url, null, true);
    expect(await refusal(asService(url), true)).toBeNull();
    expect(await refusal(asService(url), false)).toContain('DATABASE_ROW_LEVEL_SECURITY is false');
    // Like an instance without a configured owner: it leaves them as they are.
    await migrateDatabase(asService(url), null, false);
    expect(await refusal(asService(url), true)).toBeNull();
    await migrateForService(url);
    expect(await refusal(asService(url), false)).toBeNull();
  });

  test('only as a role that policies bind', async () => {
    const url = await cloneDatabase();
    await migrateDatabase(url, null, true);
    expect(await refusal(url, true)).toContain('DATABASE_MIGRATION_URL');
  });
});
