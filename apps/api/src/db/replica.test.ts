// @module-tag slow

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newUser, type TestUser } from '../testing/accounts.ts';
import { call, startTestApi, type TestApi } from '../testing/api.ts';
import { inTime } from '../testing/in-time.ts';
import { newCollection } from '../testing/library.ts';
import { startReplicatedDatabase, type ReplicatedDatabase } from '../testing/streaming-replica.ts';

let database: ReplicatedDatabase;
/** Two instances of the service, as a load balancer would alternate between them. */
let first: TestApi;
let second: TestApi;
beforeAll(async () => {
  database = await startReplicatedDatabase();
  const start = () =>
    startTestApi(
      { DATABASE_REPLICA_URL: database.replicaUrl },
      { databaseUrl: database.primaryUrl },
    );
  [first, second] = [await start(), await start()];
});
afterAll(async () => {
  await Promise.all([first?.close(), second?.close()]);
  await database?.close();
});

/** Returns the titles of the collections that a user created, according to their timeline. */
async function titlesFrom(api: TestApi, user: TestUser): Promise<string[]> {
  const { status, body } = await call(api, 'timeline.mine', {
    token: user.token,
    query: { action: 'collection.create', limit: 100 },
  });
  expect(status).toBe(200);
  return body.data.items.map(({ resourceName }: { resourceName: string }) => resourceName);
}

async function counted(api: TestApi, user: TestUser): Promise<number> {
  const { status, body } = await call(api, 'dashboard.summary', { token: user.token });
  expect(status).toBe(200);
  return body.data.collections;
}

/** Reads until the replica is known to be up to date and serves the reads. */
async function readsGoToReplica(api: TestApi, user: TestUser): Promise<void> {
  await vi.waitFor(
    async () => {
      const before = await database.readsOnReplica();
      await titlesFrom(api, user);
      expect(await database.readsOnReplica()).toBeGreaterThan(before);
    },
    { timeout: 20_000, interval: 100 },
  );
}

let user: TestUser;
beforeEach(async () => {
  user = await newUser(first);
});

test('once it is up to date, the replica serves timelines and dashboards', async () => {
  await newCollection(first, user, 'Maps');
  await readsGoToReplica(first, user);
  await readsGoToReplica(second, user);
  const before = await database.readsOnReplica();
  expect(await counted(first, user)).toBe(1);
  expect(await titlesFrom(second, user)).toEqual(['Maps']);
  expect(await database.readsOnReplica()).toBeGreaterThanOrEqual(before + 2);
});

describe('while the replica is behind', () => {
  test('every user reads all earlier writes, whichever instance wrote them', async () => {
    await readsGoToReplica(first, user);
    await readsGoToReplica(second, user);
    await database.pause();
    try {
      for (const [index, api] of [first, second, first].entries()) {
        await newCollection(api, user, `Maps ${index}`);
        for (const reader of [first, second]) {
          expect(await titlesFrom(reader, user)).toHaveLength(index + 1);
          expect(await counted(reader, user)).toBe(index + 1);
        }
      }
    } finally {
      await database.resume();
    }
    await readsGoToReplica(first, user);
    expect(await titlesFrom(first, user)).toEqual(['Maps 2', 'Maps 1', 'Maps 0']);
  });

  test('it still serves users without writes since then', async () => {
    const other = await newUser(first);
    await readsGoToReplica(first, other);
    await database.pause();
    try {
      await newCollection(first, user);
      const before = await database.readsOnReplica();
      expect(await titlesFrom(first, other)).toEqual([]);
      expect(await database.readsOnReplica()).toBeGreaterThan(before);
      expect(await titlesFrom(first, user)).toHaveLength(1);
    } finally {
      await database.resume();
    }
  });

  test('concurrent writes are never missing afterwards', async () => {
    const writers = await Promise.all(Array.from({ length: 4 }, () => newUser(first)));
    await Promise.all(
      writers.map(async (writer, index) => {
        const [writing, reading] = index % 2 === 0 ? [first, second] : [second, first];
        for (let made = 1; made <= 15; made += 1) {
          await newCollection(writing, writer);
          expect(await titlesFrom(reading, writer)).toHaveLength(made);
          expect(await counted(reading, writer)).toBe(made);
        }
      }),
    );
  });
});

describe('without the replica', () => {
  test('the primary responds, and the replica again when it is back', async () => {
    await newCollection(first, user);
    await readsGoToReplica(first, user);
    await database.stopReplica();
    try {
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => titlesFrom(first, user)),
      );
      expect(responses).toEqual(responses.map(() => [expect.any(String)]));
      await newCollection(first, user);
      expect(await titlesFrom(first, user)).toHaveLength(2);
    } finally {
      await database.startReplica();
    }
    await readsGoToReplica(first, user);
    expect(await titlesFrom(first, user)).toHaveLength(2);
  });

  test('a replica that falls silent during reads costs a short delay, and no response', async () => {
    await newCollection(first, user);
    await readsGoToReplica(first, user);
    database.silence();
    try {
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => titlesFrom(first, user)),
      );
      expect(responses).toEqual(responses.map(() => [expect.any(String)]));
      // The replica is now known to be unavailable, and is not waited for.
      await inTime(900, titlesFrom(first, user));
    } finally {
      database.endSilence();
    }
    await readsGoToReplica(first, user);
  });

  test('a server that is not a replica is not read from', async () => {
    const wrong = await startTestApi(
      { DATABASE_REPLICA_URL: database.primaryUrl },
      { databaseUrl: database.primaryUrl },
    );
    try {
      await newCollection(wrong, user);
      expect(await titlesFrom(wrong, user)).toHaveLength(1);
    } finally {
      await wrong.close();
    }
  });

  test('a promoted replica is no longer read from', async () => {
    await newCollection(first, user);
    await readsGoToReplica(first, user);
    await database.promoteReplica();
    await newCollection(first, user);
    expect(await titlesFrom(first, user)).toHaveLength(2);
    const quiet = await newUser(first);
    // After the next check.
    await vi.waitFor(
      async () => {
        const before = await database.readsOnReplica();
        await titlesFrom(first, quiet);
        expect(await database.readsOnReplica()).toBe(before);
      },
      { timeout: 10_000, interval: 200 },
    );
    expect(await counted(first, user)).toBe(2);
  });
});
