// @module-tag slow

import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../db/executor.ts';
import { accountExports, users } from '../../db/generated/schema.ts';
import { reconcileStorage } from '../../domain/storage-upkeep/reconcile.ts';
import { verifyStorage } from '../../domain/verify/storage.ts';
import { newId } from '../../kernel/ids.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import { logIn, mailedTokenOf, newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { downloadExport, exportOf, storedExports } from '../../testing/exports.ts';
import { untilIdle } from '../../testing/library.ts';
import { operate } from '../../testing/operator.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { linesOf, zipEntries } from '../../testing/zip.ts';
import { deleteAtOnce, requestDeletion } from '../delete-account/testing.ts';
import { exportAccount, type ExportDeps } from './export-account.ts';

const api = await setUpApi();
const { db, store } = api.deps;
const origin = { device: 'Firefox on Linux', ipAddress: '203.0.113.7' };
const environment = { DATABASE_URL: api.config.DATABASE_URL };
const untilStopped = new AbortController().signal;

let user: TestUser;
beforeEach(async () => {
  user = await newUser(api, 'exporter');
});

/** Adds an export that no job prepares. */
async function waitingExport(): Promise<string> {
  const id = newId();
  await api.db.insert(accountExports).values({ id, userId: user.id, createdAt: api.clock.now() });
  return id;
}
async function rowOf(id: string) {
  const [row] = await api.db.select().from(accountExports).where(eq(accountExports.id, id));
  return row ?? null;
}
const run = (exportId: string, deps: Partial<ExportDeps> = {}, signal = untilStopped) =>
  exportAccount({ db, store, clock: api.clock, ...deps }, { exportId, origin }, signal);

/** Lets database and storage fail at their nth use, as if the process died there. */
function dyingAt(nth: number): Pick<ExportDeps, 'db' | 'store'> {
  let uses = 0;
  const dying = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(of, name) {
        const found: unknown = Reflect.get(of, name);
        if (typeof found !== 'function') return found;
        return (...args: unknown[]): unknown => {
          uses += 1;
          if (uses >= nth) throw new Error('the process died');
          return Reflect.apply(found, of, args);
        };
      },
    });
  return { db: dying(db), store: dying(store) };
}

test('an export that dies at every use of database and storage in turn is one complete file in the end', async () => {
  const id = await waitingExport();
  const before = await storedExports(api);
  let deaths = 0;
  for (let nth = 1; nth < 200; nth += 1) {
    const isDone = await run(id, dyingAt(nth)).then(
      () => true,
      (error: unknown) => {
        expect(String(error)).toContain('the process died');
        return false;
      },
    );
    if (isDone) break;
    deaths += 1;
    expect(await rowOf(id)).toMatchObject({ readyAt: null, key: null });
  }
  expect(deaths).toBeGreaterThan(25);
  // Once more is nothing.
  await run(id);
  await untilIdle(api);
  const row = await rowOf(id);
  expect((await storedExports(api)).filter((key) => !before.includes(key))).toEqual([row?.key]);
  const entries = zipEntries(await downloadExport(api, user, id));
  expect(linesOf(entries.get('users.jsonl'))).toMatchObject([{ id: user.id, email: user.email }]);
  expect(entries.has('files.json')).toBe(true);
});

test('of two attempts at once the later one wins, and the other leaves nothing', async () => {
  const id = await waitingExport();
  const before = await storedExports(api);
  let secondIsDone: Promise<void> = Promise.resolve();
  const slow: ObjectStore = new Proxy(store, {
    get(target, name) {
      if (name !== 'putStream') return Reflect.get(target, name);
      return async (object: Parameters<ObjectStore['putStream']>[0]) => {
        secondIsDone = run(id);
        await secondIsDone;
        return target.putStream(object);
      };
    },
  });
  await run(id, { store: slow });
  await secondIsDone;
  await untilIdle(api);
  const row = await rowOf(id);
  const stored = (await storedExports(api)).filter((key) => !before.includes(key));
  expect(stored).toEqual([row?.key]);
  expect((await store.statObject(String(row?.key)))?.sizeBytes).toBe(row?.sizeBytes);
});

test('a process that ends leaves the export to the next attempt', async () => {
  const id = await waitingExport();
  const stopping = new AbortController();
  stopping.abort(new Error('the process ends'));
  await expect(run(id, {}, stopping.signal)).rejects.toThrow('the process ends');
  expect(await rowOf(id)).toMatchObject({ readyAt: null });
  await run(id);
  expect(await rowOf(id)).toMatchObject({ readyAt: expect.any(Date) });
});

test('nothing is exported of an account that is suspended or leaves meanwhile', async () => {
  const id = await waitingExport();
  const before = await storedExports(api);
  await api.db.update(users).set({ accountStatus: 'SUSPENDED' }).where(eq(users.id, user.id));
  await run(id);
  expect(await rowOf(id)).toMatchObject({ attemptKey: null, readyAt: null });
  expect(await storedExports(api)).toEqual(before);
});

describe('an export that is not ready keeps no other one back', () => {
  const suspend = () => operate(['suspend', user.email], environment);
  const reinstate = () => operate(['reinstate', user.email], environment);

  test.each<readonly [string, () => Promise<unknown>, () => Promise<unknown>]>([
    [
      'a deletion that is cancelled',
      () => requestDeletion(api, user),
      async () => {
        const token = await mailedTokenOf(user.email, 'Your account will be deleted');
        await call(api, 'account.cancelDeletion', { body: { token } });
      },
    ],
    ['a suspension that is over', suspend, reinstate],
  ])('after %s', async (_what, leave, comeBack) => {
    const id = await waitingExport();
    await leave();
    await run(id);
    await comeBack();
    expect(await rowOf(id)).toBeNull();
    const again = await exportOf(api, await logIn(api, user));
    expect(await rowOf(again)).toMatchObject({ readyAt: expect.any(Date) });
  });

  test('after a suspension while it was written, which leaves no file', async () => {
    const id = await waitingExport();
    const before = await storedExports(api);
    const meanwhile: ObjectStore = new Proxy(store, {
      get(target, name) {
        if (name !== 'putStream') return Reflect.get(target, name);
        return async (object: Parameters<ObjectStore['putStream']>[0]) => {
          const sizeBytes = await target.putStream(object);
          await suspend();
          return sizeBytes;
        };
      },
    });
    await run(id, { store: meanwhile });
    await untilIdle(api);
    expect(await storedExports(api)).toEqual(before);
    await reinstate();
    await exportOf(api, await logIn(api, user));
    expect(await storedExports(api)).toHaveLength(before.length + 1);
  });

  test('and one that is ready stays', async () => {
    const id = await exportOf(api, user);
    await suspend();
    await reinstate();
    const again = await logIn(api, user);
    expect((await downloadExport(api, again, id)).length).toBeGreaterThan(0);
  });
});

test('the deletion of an account removes its exports, also one that is being written', async () => {
  await exportOf(api, user);
  const before = await storedExports(api);
  expect(before.length).toBeGreaterThan(0);
  const id = await waitingExport();
  const meanwhile: ObjectStore = new Proxy(store, {
    get(target, name) {
      if (name !== 'putStream') return Reflect.get(target, name);
      return async (object: Parameters<ObjectStore['putStream']>[0]) => {
        const sizeBytes = await target.putStream(object);
        await deleteAtOnce(api, user);
        return sizeBytes;
      };
    },
  });
  await run(id, { store: meanwhile });
  await untilIdle(api);
  expect(await api.db.$count(accountExports, eq(accountExports.userId, user.id))).toBe(0);
  const left = await storedExports(api);
  const known = await api.db.select({ key: accountExports.key }).from(accountExports);
  expect(left.toSorted()).toEqual(known.flatMap(({ key }) => key ?? []).toSorted());
  expect(left.length).toBe(before.length - 1);
});

test('thousands of rows are read page by page, as fast as they are stored', async () => {
  await api.db.execute(sql`
    insert into account_activities (id, action, actor_id, resource_type, resource_id, resource_name, changes, created_at)
    select gen_random_uuid(), 'user.login', ${user.id}::uuid, 'user', ${user.id}::uuid, repeat('x', 1000), '[]',
      now() - make_interval(secs => n) from generate_series(1, 20000) as n`);
  const id = await waitingExport();
  let statements = 0;
  const counting: Database = new Proxy(db, {
    get(target, name) {
      if (name === 'select') statements += 1;
      return Reflect.get(target, name);
    },
  });
  let [largest, total, aheadOfStorage] = [0, 0, 0];
  const watched: ObjectStore = new Proxy(store, {
    get(target, name) {
      if (name !== 'putStream') return Reflect.get(target, name);
      return (object: Parameters<ObjectStore['putStream']>[0]) => {
        async function* content() {
          for await (const chunk of object.content) {
            largest = Math.max(largest, chunk.length);
            total += chunk.length;
            const read = statements;
            // Reading waits for a slow storage.
            await new Promise(setImmediate);
            aheadOfStorage = Math.max(aheadOfStorage, statements - read);
            yield chunk;
          }
        }
        return target.putStream({ ...object, content: content() });
      };
    },
  });
  await run(id, { db: counting, store: watched });
  expect(total).toBeGreaterThan(20_000_000);
  expect(largest).toBeLessThan(1_000_000);
  expect(statements).toBeGreaterThan(100);
  expect(aheadOfStorage).toBeLessThanOrEqual(2);
  const entries = zipEntries(await downloadExport(api, user, id));
  const exported = linesOf(entries.get('account_activities.jsonl'));
  expect(exported.length).toBeGreaterThan(20_000);
  expect(new Set(exported.map((line) => line['id'])).size).toBe(exported.length);
});

test('each row is exported once, also those after the first page of a table of organizations', async () => {
  await api.db.execute(sql`
    insert into labels (organization_id, id, name, name_key, color, created_by, created_at, updated_at)
    select ${user.organizationId}::uuid, gen_random_uuid(), 'Label ' || n, 'label ' || n, 'GRAY', ${user.id}::uuid, now(), now()
    from generate_series(1, 450) as n`);
  const id = await waitingExport();
  await run(id);
  const entries = zipEntries(await downloadExport(api, user, id));
  const names = linesOf(entries.get('labels.jsonl')).map((line) => String(line['name']));
  expect(names.toSorted()).toEqual(
    Array.from({ length: 450 }, (_, index) => `Label ${index + 1}`).toSorted(),
  );
});

test('verify knows exports, and the upkeep of the storage removes those without an account', async () => {
  const id = await exportOf(api, user);
  const { key } = (await rowOf(id)) ?? {};
  const findings = async () =>
    (await verifyStorage({ db, store })).results.flatMap(({ subjects }) => subjects);
  expect((await findings()).filter((subject) => subject.includes('export'))).toEqual([]);

  const orphan = `export/${newId()}`;
  await store.putObject({ key: orphan, content: Buffer.from('x'), contentType: 'application/zip' });
  const left = await verifyStorage({ db, store });
  expect(left.leftForJanitor.objects).toBeGreaterThan(0);
  const { clock, log } = api.deps;
  const upkeep = { db, store, log, clock };
  await reconcileStorage(upkeep, 'mend');
  expect(await storedExports(api)).toContain(orphan);
  const tomorrow = { now: () => new Date(Date.now() + 25 * 60 * 60 * 1000) };
  await reconcileStorage({ ...upkeep, clock: tomorrow }, 'mend');
  expect(await storedExports(api)).not.toContain(orphan);
  expect(await storedExports(api)).toContain(key);

  await store.putObject({
    key: String(key),
    content: Buffer.from('changed'),
    contentType: 'application/zip',
  });
  expect(await findings()).toEqual([expect.stringContaining(`${key} has 7 bytes instead of`)]);
  await store.deleteObject(String(key));
  expect(await findings()).toEqual([key]);
  const again = await call(api, 'account.latestExport', { token: user.token });
  expect(again.status).toBe(200);
});
