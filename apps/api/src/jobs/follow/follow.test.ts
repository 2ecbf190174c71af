// @module-tag slow

import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { followFor } from './testing/following-child.ts';
import { activities, logPositions } from '../../db/generated/schema.ts';
import { announceAfterCommit } from '../../db/session/after-commit.ts';
import { followFromNow, stopFollowing } from '../../domain/log-positions/queries.ts';
import { newId } from '../../kernel/ids.ts';
import { allSettled } from '../../testing/library.ts';
import { newTeam } from '../../testing/organizations.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';
import { readLags } from './queries.ts';
import { startFollower, takeOnce, type Consumer } from './follow.ts';
import { copying, createCopies } from './testing/copying.ts';

/** How long the connections write, in seconds. */
const writingSeconds = Number(process.env['FOLLOW_SECONDS'] ?? 6);
const connections = 16;
/** How many processes die before the writing ends, however slow the machine is. */
const leastKills = 4;

const { api, user } = await setUpApiWithUser({ DATABASE_POOL_MAX: '20' });
const { clock, deps } = api;
// The owner: the service may not write to the table of copies.
const parts = { db: api.db, scopes: null, clock, log: deps.log };

beforeAll(() => createCopies(api.db));

async function followedTeam() {
  const { id } = await newTeam(api, user);
  await api.db.transaction((tx) =>
    followFromNow(tx, { organizationId: id, consumer: copying.name }, clock.now()),
  );
  return id;
}

/** Records activities in one transaction that stays open for a time. */
async function record(
  organizationId: string,
  { rows = 1, whileOpen = async () => {} }: { rows?: number; whileOpen?: () => Promise<void> } = {},
): Promise<string[]> {
  const ids = Array.from({ length: rows }, () => newId());
  await api.db.transaction(async (tx) => {
    for (const id of ids) {
      await tx.insert(activities).values({
        id,
        action: 'collection.create',
        actorId: user.id,
        organizationId,
        resourceType: 'collection',
        resourceId: newId(),
        resourceName: 'Pictures',
        changes: [],
        createdAt: new Date(),
      });
    }
    await whileOpen();
    announceAfterCommit(tx, `organization:${organizationId}`);
  });
  return ids.toSorted();
}

const copiesOf = (organizationId: string) =>
  api.db.execute<{ activity_id: string | null; transaction_id: string }>(sql`
    select activity_id, transaction_id::text from copies
    where organization_id = ${organizationId} order by number`);

/** Of the consumer under test, in seconds. */
async function lag(): Promise<number | undefined> {
  const lags = await readLags(api.db);
  return lags.find(({ consumer }) => consumer === copying.name)?.oldestSeconds;
}

const idsIn = async (organizationId: string) =>
  (await copiesOf(organizationId)).map((copy) => copy.activity_id);

async function take(organizationId: string, consumer: Consumer = copying) {
  await allSettled(api);
  return takeOnce(parts, consumer, organizationId);
}

describe('a consumer', () => {
  test('gets what is committed after it began, and nothing from before', async () => {
    const id = await followedTeam();
    expect(await take(id)).toBe('when announced');
    expect(await idsIn(id)).toEqual([]);
    const recorded = await record(id, { rows: 3 });
    expect(await take(id)).toBe('when announced');
    expect(await idsIn(id)).toEqual(recorded);
    expect(await take(id)).toBe('when announced');
    expect(await idsIn(id)).toEqual(recorded);
  });

  test('gets nothing of another organization, nor of one that it no longer follows', async () => {
    const [id, other] = [await followedTeam(), await followedTeam()];
    await record(other);
    await take(id);
    expect(await idsIn(id)).toEqual([]);
    await api.db.transaction((tx) =>
      stopFollowing(tx, { organizationId: other, consumer: copying.name }),
    );
    await take(other);
    expect(await idsIn(other)).toEqual([]);
  });

  test('takes 500 rows at a time', async () => {
    const id = await followedTeam();
    const recorded = await record(id, { rows: 501 });
    expect(await take(id)).toBe('at once');
    expect((await idsIn(id)).length).toBe(500);
    expect(await take(id)).toBe('when announced');
    expect(await idsIn(id)).toEqual(recorded);
  });

  test('waits for an older transaction, and gets its rows first', async () => {
    const id = await followedTeam();
    let younger: string | undefined;
    const [first] = await record(id, {
      async whileOpen() {
        [younger] = await record(id);
        expect(await takeOnce(parts, copying, id)).toBe('later');
        expect(await idsIn(id)).toEqual([]);
        expect(await lag()).toBeGreaterThan(0);
      },
    });
    expect(await take(id)).toBe('when announced');
    expect(await idsIn(id)).toEqual([first, younger]);
    expect(await lag()).toBe(0);
  });

  test('that fails gets the same rows again', async () => {
    const id = await followedTeam();
    const recorded = await record(id);
    const failing = async (...taken: Parameters<Consumer['take']>) => {
      await copying.take(...taken);
      throw new Error('after its effect');
    };
    await expect(take(id, { ...copying, take: failing })).rejects.toThrow('after its effect');
    expect(await idsIn(id)).toEqual([]);
    await take(id);
    expect(await idsIn(id)).toEqual(recorded);
  });

  test('has a position in one process at a time', async () => {
    const id = await followedTeam();
    const recorded = await record(id, { rows: 20 });
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => take(id)));
    expect(outcomes).toContain('when announced');
    expect(await idsIn(id)).toEqual(recorded);
  });

  test.each([
    ['of another history', { epoch: 'another.00000001.5.16384' }],
    ['from the future', { transactionId: '9223372036854775807' }],
  ])('with a position %s is told so, and continues from the present', async (_, set) => {
    const id = await followedTeam();
    await record(id);
    await api.db
      .update(logPositions)
      .set(set)
      .where(sql`organization_id = ${id}`);
    expect(await take(id)).toBe('at once');
    expect(await idsIn(id)).toEqual([null]);
    const recorded = await record(id);
    await take(id);
    expect(await idsIn(id)).toEqual([null, ...recorded]);
  });
});

describe('the follower', () => {
  test('finds what was not announced, and another history', async () => {
    const [lost, restored] = [await followedTeam(), await followedTeam()];
    const recorded = await record(lost);
    await api.db
      .update(logPositions)
      .set({ epoch: 'another' })
      .where(sql`organization_id = ${restored}`);
    // The first search finds them; the next one comes ten seconds later.
    await allSettled(api);
    const listenToChanges = () => Promise.reject(new Error('no connection'));
    const follower = startFollower({ ...parts, listenToChanges, consumers: [copying] });
    onTestFinished(() => follower.stop());
    await vi.waitFor(async () => {
      expect(await idsIn(lost)).toEqual(recorded);
      expect(await idsIn(restored)).toEqual([null]);
    }, 10_000);
  });

  test('continues after a failure of its consumer', async () => {
    const [id, other] = [await followedTeam(), await followedTeam()];
    const consumer: Consumer = {
      ...copying,
      async take(tx, organizationId, rows) {
        if (organizationId === id) throw new Error('always');
        await copying.take(tx, organizationId, rows);
      },
    };
    const { listenToChanges } = deps;
    const follower = startFollower({ ...parts, listenToChanges, consumers: [consumer] });
    onTestFinished(() => follower.stop());
    await record(id);
    const recorded = await record(other);
    await vi.waitFor(async () => expect(await idsIn(other)).toEqual(recorded), { timeout: 15_000 });
    expect(await idsIn(id)).toEqual([]);
  });

  test('takes what is announced while it waits in another organization', async () => {
    const [busy, other] = [await followedTeam(), await followedTeam()];
    const [begun, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const afterwards = async () => {
      begun.resolve();
      await taken.promise;
    };
    const consumer: Consumer = {
      ...copying,
      async take(tx, organizationId, rows) {
        await copying.take(tx, organizationId, rows);
        if (organizationId === other) taken.resolve();
        // In the transaction, it would hold back the rows of all organizations.
        if (organizationId === busy) return afterwards;
      },
    };
    const { listenToChanges } = deps;
    const follower = startFollower({ ...parts, listenToChanges, consumers: [consumer] });
    onTestFinished(() => follower.stop());
    onTestFinished(() => taken.resolve());
    const first = await record(busy);
    await begun.promise;
    const second = await record(busy);
    const recorded = await record(other);
    await vi.waitFor(async () => expect(await idsIn(other)).toEqual(recorded), { timeout: 15_000 });
    await vi.waitFor(async () => expect(await idsIn(busy)).toEqual([...first, ...second]), {
      timeout: 15_000,
    });
  });

  test('takes a row between the pieces of backlogs, however many organizations have one', async () => {
    const other = await followedTeam();
    const busy = await Promise.all(Array.from({ length: 4 }, followedTeam));
    for (const id of busy) await record(id, { rows: 1_001 });
    const begun = Promise.withResolvers<void>();
    const takenOf: string[] = [];
    const consumer: Consumer = {
      ...copying,
      async take(_, organizationId) {
        takenOf.push(organizationId);
        if (!busy.includes(organizationId)) return;
        begun.resolve();
        if (!takenOf.includes(other)) return () => delay(1_500);
      },
    };
    const { listenToChanges } = deps;
    const follower = startFollower({ ...parts, listenToChanges, consumers: [consumer] });
    onTestFinished(() => follower.stop());
    await begun.promise;
    await record(other);
    await vi.waitFor(() => expect(takenOf).toContain(other), { timeout: 30_000 });
    const before = takenOf.slice(0, takenOf.indexOf(other));
    expect(before.filter((id) => busy.includes(id)).length).toBeLessThan(3 * busy.length);
  });
});

describe('two processes that are killed again and again', () => {
  const running = new Set<ChildProcess>();
  let kills = 0;
  let areKilled = true;

  afterAll(() => {
    for (const child of running) child.kill('SIGKILL');
  });

  /** Kills processes one after the other; the last one is left alone. */
  async function keepKilling(): Promise<void> {
    while (true) {
      const { child, exited } = await followFor({
        program: join(import.meta.dirname, 'testing/copying-process.ts'),
        databaseUrl: api.ownerUrl,
        running,
        ms: Math.random() * 1_500,
      });
      if (!areKilled) return;
      child.kill('SIGKILL');
      kills += 1;
      await exited;
    }
  }

  test(
    'copy each row once and in order',
    async () => {
      const id = await followedTeam();
      const killers = [keepKilling(), keepKilling()];
      const endsAt = Date.now() + writingSeconds * 1_000;
      const written = await Promise.all(
        Array.from({ length: connections }, async () => {
          const ids: string[] = [];
          while (Date.now() < endsAt || kills < leastKills) {
            const openMs = Math.random() < 0.2 ? Math.random() * 2_000 : Math.random() * 40;
            const rows = 1 + Math.floor(Math.random() * 3);
            ids.push(...(await record(id, { rows, whileOpen: () => delay(openMs) })));
          }
          return ids;
        }),
      );
      areKilled = false;
      await Promise.all(killers);
      const all = written.flat().toSorted();
      await vi.waitFor(
        async () => expect((await copiesOf(id)).length).toBeGreaterThanOrEqual(all.length),
        { timeout: 30_000, interval: 200 },
      );
      const copies = await copiesOf(id);
      expect(copies.map((copy) => copy.activity_id).toSorted()).toEqual(all);
      const order = copies.map(
        ({ transaction_id: transactionId, activity_id: activityId }) =>
          `${transactionId.padStart(20, '0')} ${activityId}`,
      );
      expect(order).toEqual(order.toSorted());
    },
    120_000 + writingSeconds * 1_000,
  );
});
