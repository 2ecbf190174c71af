import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { uploadClaims, uploads } from '../../../src/db/generated/schema.ts';
import { cleanUp } from '../../../src/jobs/clean-up/clean-up.ts';
import { newUser, type TestUser } from '../../../src/testing/accounts.ts';
import { call, startTestApi, type TestApi } from '../../../src/testing/api.ts';
import {
  newDistributedDatabase,
  serverOf,
  type CitusServers,
} from '../../../src/testing/citus/databases.ts';
import { newCollection } from '../../../src/testing/library.ts';
import { startProxyTo, type TcpProxy } from '../../../src/testing/tcp-proxy.ts';
import { storeTeam } from '../../../src/testing/teams.ts';

/** How many uploads of an account the second API takes. */
const few = 2;
const most = 100;

/** By the number of the server that they lead to. */
const proxies = new Map<number, TcpProxy>();
/** Whose commit on its way from a worker is lost: that of the next reservation, then of its connection. Others commit at any time. */
let losing: 'nothing' | 'reservation' | object = 'nothing';
let api: TestApi;
/** The same database and clock. */
let narrow: TestApi;

beforeAll(async () => {
  const servers: CitusServers = inject('citusServers');
  const [coordinator = '', ...workers] = servers;
  const behind = await Promise.all(
    workers.map((worker) =>
      startProxyTo(worker, {
        onRequest(request, connection) {
          if (losing === 'reservation' && /insert into public\.uploads_\d/i.test(request))
            losing = connection;
          return 'pass';
        },
        onResponse(request, connection) {
          if (losing !== connection || !request.includes('COMMIT\0')) return 'pass';
          losing = 'nothing';
          return 'reset';
        },
      }),
    ),
  );
  const databaseUrl = await newDistributedDatabase([coordinator, ...behind.map(({ url }) => url)]);
  api = await startTestApi({}, { databaseUrl });
  const { clock } = api;
  narrow = await startTestApi(
    { JOBS: 'separate', UPLOAD_MAX_OPEN_PER_USER: String(few) },
    { databaseUrl: api.config.DATABASE_URL, clock },
  );
  const nodes = await api.db.execute<{ groupid: number; nodeport: number }>(
    sql`select groupid, nodeport from pg_dist_node`,
  );
  for (const { proxy } of behind) {
    const node = nodes.find(({ nodeport }) => nodeport === proxy.port);
    if (!node) throw new Error('a server is not known by its proxy');
    proxies.set(node.groupid, proxy);
  }
});
afterAll(async () => {
  await narrow.close();
  await api.close();
  await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
});

interface Place {
  readonly organizationId: string;
  readonly collectionId: string;
}

/** Makes an account with an organization on each of two servers. */
async function onTwoServers(): Promise<{ person: TestUser; own: Place; other: Place }> {
  const person = await newUser(api);
  const home = await serverOf(api.db, person.organizationId);
  const own = {
    organizationId: person.organizationId,
    collectionId: await newCollection(api, person),
  };
  for (;;) {
    const organizationId = await storeTeam(api, person);
    if ((await serverOf(api.db, organizationId)) === home) continue;
    const made = await call(api, 'collections.create', {
      token: person.token,
      organizationId,
      body: { title: 'Shared' },
    });
    return { person, own, other: { organizationId, collectionId: made.body.data.id } };
  }
}

const begin = (
  at: Pick<TestApi, 'url'>,
  { token }: TestUser,
  { organizationId, collectionId }: Place,
) =>
  call(at, 'uploads.initiate', {
    token,
    organizationId,
    body: { fileName: 'a', contentType: 'text/plain', fileSize: 1, collectionId },
  });

async function begun(...args: Parameters<typeof begin>) {
  const { status, body } = await begin(...args);
  expect(status).toBe(201);
  return body.data as { uploadId: string; key: string };
}

async function abort(
  { token }: TestUser,
  { organizationId }: Place,
  upload: { uploadId: string; key: string },
) {
  const { uploadId, key } = upload;
  const { status } = await call(api, 'uploads.abort', {
    token,
    organizationId,
    body: { uploadId, key },
  });
  expect(status).toBe(200);
}

/** The ids of the uploads that the coordinator has claims of. */
async function claimsOf({ id }: TestUser): Promise<string[]> {
  const rows = await api.db
    .select({ id: uploadClaims.uploadId })
    .from(uploadClaims)
    .where(eq(uploadClaims.userId, id));
  return rows.map((row) => row.id).toSorted();
}

async function openOf({ id }: TestUser): Promise<string[]> {
  const rows = await api.db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(eq(uploads.userId, id), eq(uploads.status, 'ACTIVE')));
  return rows.map((row) => row.id).toSorted();
}

describe('the open uploads of an account', () => {
  test('are limited to a hundred, however many are started in parallel, in organizations on several servers', async () => {
    const { person, own, other } = await onTwoServers();
    const responses = await Promise.all(
      Array.from({ length: most + 10 }, (_, index) =>
        begin(api, person, index % 2 === 0 ? own : other),
      ),
    );
    const refused = responses.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 10 }, () => [409, 'too_many_open_uploads']),
    );
    const open = await openOf(person);
    expect(open).toHaveLength(most);
    expect(await claimsOf(person)).toEqual(open);
  });

  test('free their places when they end, and keep them while they are under way', async () => {
    const { person, own, other } = await onTwoServers();
    const [first, second] = [await begun(narrow, person, own), await begun(narrow, person, other)];
    expect((await begin(narrow, person, own)).status).toBe(409);
    await abort(person, other, second);
    expect(await claimsOf(person)).toEqual([first.uploadId, second.uploadId].toSorted());
    const third = await begun(narrow, person, own);
    expect(await claimsOf(person)).toEqual([first.uploadId, third.uploadId].toSorted());
    expect((await begin(narrow, person, other)).status).toBe(409);
  });

  test('are counted again at the limit when the coordinator has lost their claim', async () => {
    const { person, own } = await onTwoServers();
    losing = 'reservation';
    expect((await begin(narrow, person, own)).status).toBe(503);
    expect(losing).toBe('nothing');
    const lost = await openOf(person);
    expect([lost.length, await claimsOf(person)]).toEqual([1, []]);

    const first = await begun(narrow, person, own);
    const second = await begun(narrow, person, own);
    await abort(person, own, first);
    expect((await begin(narrow, person, own)).status).toBe(409);
    await abort(person, own, second);
    const third = await begun(narrow, person, own);
    expect(await claimsOf(person)).toEqual([...lost, third.uploadId].toSorted());
  });

  test('keep their claims for a day, also if the servers were asked before they started', async () => {
    const { person, own, other } = await onTwoServers();
    const [first, second] = [await begun(narrow, person, own), await begun(narrow, person, other)];
    const starting = and(
      eq(uploads.organizationId, own.organizationId),
      eq(uploads.id, first.uploadId),
    );
    const expiresAt = new Date(narrow.clock.now().getTime() + 60_000);
    await api.db.update(uploads).set({ expiresAt }).where(starting);
    await abort(person, other, second);
    await begun(narrow, person, own);
    const [upload] = await api.db.select().from(uploads).where(starting);
    const [claim] = await api.db
      .select()
      .from(uploadClaims)
      .where(eq(uploadClaims.uploadId, first.uploadId));
    const lifetime = Number(claim?.expiresAt) - Number(upload?.createdAt);
    expect(lifetime).toBe(24 * 60 * 60 * 1000);
  });

  test('count until they expire, and lose their claims then', async () => {
    const { person, own, other } = await onTwoServers();
    for (const place of [own, other]) await begun(narrow, person, place);
    narrow.clock.advance({ seconds: 24 * 60 * 60 - 60 });
    await cleanUp(api.deps);
    expect(await claimsOf(person)).toHaveLength(few);
    narrow.clock.advance({ seconds: 60 });
    await cleanUp(api.deps);
    expect(await claimsOf(person)).toEqual([]);
  });
});

describe('while a server is away', () => {
  let person: TestUser;
  let stranger: TestUser;
  /** Of the person, on a server that is there, and on the other. */
  let own: Place;
  let away: Place;
  /** Of the stranger, on the one that is there. */
  let near: Place;
  let proxy: TcpProxy | undefined;
  beforeAll(async () => {
    // All of it first: connections that were cut are noticed at their next use.
    const [one, another] = [await onTwoServers(), await onTwoServers()];
    ({ person, own, other: away } = one);
    stranger = another.person;
    const server = (place: Place) => serverOf(api.db, place.organizationId);
    near = (await server(another.own)) === (await server(own)) ? another.own : another.other;
    await begun(narrow, person, away);
    proxy = proxies.get((await server(away)) ?? 0);
    if (!proxy) throw new Error('the organization is on no server');
    proxy.cut();
  });

  test('uploads are started on others, up to the limit', async () => {
    await begun(narrow, person, own);
    expect((await begin(api, person, away)).status).toBe(503);
    // Only that server knows whether the first one is still under way.
    const atLimit = await begin(narrow, person, own);
    expect([atLimit.status, atLimit.body.code]).toEqual([503, 'service_unavailable']);
  });

  test('an account whose uploads are all on others finds out at the limit which have ended', async () => {
    const first = await begun(narrow, stranger, near);
    const second = await begun(narrow, stranger, near);
    expect((await begin(narrow, stranger, near)).status).toBe(409);
    await abort(stranger, near, first);
    const third = await begun(narrow, stranger, near);
    expect(await claimsOf(stranger)).toEqual([second.uploadId, third.uploadId].toSorted());
  });

  test('an account at its limit waits until it is back', async () => {
    proxy?.restore();
    await expect.poll(async () => (await begin(narrow, person, own)).status).toBe(409);
  });
});
