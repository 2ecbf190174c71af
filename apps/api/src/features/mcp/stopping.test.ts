import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, expect, inject, test } from 'vitest';
import { newUser } from '../../testing/accounts.ts';
import { cloneDatabase, startTestApi, type TestApi } from '../../testing/api.ts';
import { newCollection } from '../../testing/library.ts';
import { waitingIn } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { startTcpProxy } from '../../testing/tcp-proxy.ts';
import { callOnce, keyFor } from './testing.ts';

const { s3 } = inject('services');
const databaseUrl = await cloneDatabase();
/** Shows what the other one did before it stopped. */
const staying = await setUpApi({}, { databaseUrl });
const owner = await newUser(staying, 'owner');
const { organizationId } = owner;
const { key } = await keyFor(staying, owner, [organizationId]);

const leavingApi = (overrides: Record<string, string> = {}): Promise<TestApi> =>
  startTestApi(overrides, { databaseUrl });

test('a call that is running when the service stops gets its result', async () => {
  const leaving = await leavingApi();
  const { result, closed } = await staying.db.transaction(async (tx) => {
    await tx.execute(sql`
      select pg_advisory_xact_lock(authority_lock('organization row', id))
      from organizations where id = ${organizationId} for update`);
    const input = { name: 'While stopping' };
    const result = callOnce(leaving, key, { name: 'projects_create', input });
    await expect.poll(() => waitingIn(tx), { timeout: 10_000, interval: 5 }).toBe(1);
    const closed = leaving.close();
    await delay(100);
    return { result, closed };
  });
  const made = await result;
  expect([made.isError, made.data?.name ?? made.text]).toEqual([false, 'While stopping']);
  await closed;
  const read = { name: 'projects_get', input: { id: made.data.id } };
  expect((await callOnce(staying, key, read)).data.name).toBe('While stopping');
});

test('a call of several requests makes those that are left', async () => {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const proxy = await startTcpProxy(Number(new URL(s3.endpoint).port), {
    async onResponse(request) {
      if (/^PUT .*partNumber=/.test(request)) {
        reached.resolve();
        await released.promise;
      }
      return 'pass' as const;
    },
  });
  afterAll(() => proxy.close());
  const endpoint = `http://127.0.0.1:${proxy.port}`;
  const leaving = await leavingApi({ S3_ENDPOINT: endpoint, S3_PUBLIC_ENDPOINT: s3.endpoint });
  const collectionId = await newCollection(staying, owner);
  const input = { fileName: 'a.txt', contentType: 'text/plain', collectionId, content: 'QUJD' };
  const result = callOnce(leaving, key, { name: 'assets_upload_small', input });
  await reached.promise;
  const closed = leaving.close();
  await delay(100);
  released.resolve();
  const uploaded = await result;
  expect([uploaded.isError, uploaded.data?.assetName ?? uploaded.text]).toEqual([false, 'a.txt']);
  await closed;
  const read = { name: 'assets_read_text', input: { id: uploaded.data.id } };
  expect((await callOnce(staying, key, read)).data.text).toBe('ABC');
});
