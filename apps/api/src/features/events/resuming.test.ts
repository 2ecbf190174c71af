import { describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { recordChange } from '../../testing/changes.ts';
import { openStream } from '../../testing/event-streams.ts';
import { newTeam } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';

/** A second process on the same database. */
const api = await setUpApi();
const other = await setUpApi({}, { databaseUrl: api.config.DATABASE_URL });
const owner = await newUser(api);

const teamOf = async (user: TestUser = owner) => (await newTeam(api, user)).id;

describe('a client that reconnects', () => {
  test('gets the changes it missed, also from another process, and none twice', async () => {
    const team = await teamOf();
    const options = { token: owner.token, organizationId: team };
    const first = await openStream(api, options);
    await first.change(await recordChange(api.db, team, { resourceName: '1' }));
    first.leave();
    await recordChange(api.db, team, { resourceName: '2' });
    await recordChange(api.db, team, { resourceName: '3' });
    const second = await openStream(other, { ...options, lastEventId: first.lastId });
    await second.change(await recordChange(api.db, team, { resourceName: '4' }));
    expect(second.names()).toEqual(['2', '3', '4']);
    second.leave();
  });

  test('continues in the middle of a transaction with many changes', async () => {
    const team = await teamOf();
    const options = { token: owner.token, organizationId: team };
    const whole = await openStream(api, options);
    await api.db.transaction(async (tx) => {
      for (const name of ['a', 'b', 'c', 'd']) await recordChange(tx, team, { resourceName: name });
    });
    const last = await recordChange(api.db, team, { resourceName: 'e' });
    await whole.change(last);
    expect(whole.names().toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    const ids = whole.messages.map(({ id }) => id);
    for (const [index, lastEventId] of ids.entries()) {
      const rest = await openStream(other, { ...options, lastEventId });
      if (index < ids.length - 1) await rest.change(last);
      expect(rest.names()).toEqual(whole.names().slice(index));
      // Also from a position within the replay itself.
      for (const [at, { id }] of rest.messages.entries()) {
        if (id === undefined) continue;
        const again = await openStream(api, { ...options, lastEventId: id });
        if (at < rest.messages.length - 1) await again.change(last);
        expect(again.names()).toEqual(rest.names().slice(at));
        again.leave();
      }
      rest.leave();
    }
    whole.leave();
  });

  test('never misses the late commits of a long transaction', async () => {
    const team = await teamOf();
    const options = { token: owner.token, organizationId: team };
    const stream = await openStream(api, options);
    const { early, late } = await api.db.transaction(async (tx) => {
      const early = await recordChange(tx, team, { resourceName: 'begun first' });
      const late = await recordChange(api.db, team, { resourceName: 'begun second' });
      await stream.change(late);
      return { early, late };
    });
    const back = await openStream(other, {
      ...options,
      lastEventId: (await stream.change(late)).id,
    });
    await Promise.all([stream.change(early), back.change(early)]);
    expect(stream.names()).toEqual(['begun second', 'begun first']);
    expect(back.names()).toEqual(['begun first']);
    stream.leave();
    back.leave();
  });

  test('gets every change exactly once, for any interleaving of writers and reconnections', async () => {
    const team = await teamOf();
    const options = { token: owner.token, organizationId: team };
    const steady = await openStream(api, options);
    const seen: string[] = [];
    let lastEventId = steady.lastId;
    let isWriting = true;
    const writer = async (number: number) => {
      const db = number % 2 === 0 ? api.db : other.db;
      for (let round = 0; round < 12; round += 1) {
        await db
          .transaction(async (tx) => {
            await recordChange(tx, team, { resourceName: `${number}.${round}.a` });
            await tx.execute(sql`select pg_sleep(${((number * 7 + round * 13) % 30) / 1000})`);
            await recordChange(tx, team, { resourceName: `${number}.${round}.b` });
            if (round % 5 === 4) tx.rollback();
          })
          .catch((error: unknown) => {
            if (round % 5 !== 4) throw error;
          });
      }
    };
    const reader = async () => {
      for (let turn = 0; isWriting; turn += 1) {
        const stream = await openStream(turn % 2 === 0 ? api : other, { ...options, lastEventId });
        await stream.find(({ event }) => event === 'activity').catch(() => {});
        stream.leave();
        seen.push(...stream.names());
        lastEventId = stream.lastId ?? lastEventId;
      }
    };
    const reading = reader();
    await Promise.all([0, 1, 2, 3, 4, 5].map(writer));
    isWriting = false;
    const end = await recordChange(api.db, team, { resourceName: 'end' });
    await reading;
    const stream = await openStream(api, { ...options, lastEventId });
    if (!seen.includes('end')) await stream.change(end);
    seen.push(...stream.names());
    await steady.change(end);
    const stored = await api.db.execute<{ name: string }>(
      sql`select resource_name as name from activities where organization_id = ${team}`,
    );
    const expected = stored.map(({ name }) => name).toSorted();
    expect(expected).toHaveLength(6 * 10 * 2 + 1);
    expect(seen.toSorted()).toEqual(expected);
    expect(steady.names().toSorted()).toEqual(expected);
    for (const names of [seen, steady.names()]) {
      // From one transaction of a writer to its next.
      const rounds = names
        .filter((name) => name.startsWith('3.'))
        .map((name) => name.split('.')[1]);
      expect(rounds).toEqual(rounds.toSorted((a, b) => Number(a) - Number(b)));
    }
    steady.leave();
    stream.leave();
  });

  test('must read everything again after too many changes', async () => {
    const team = await teamOf();
    const options = { token: owner.token, organizationId: team };
    const stream = await openStream(api, options);
    await api.db.execute(sql`
      insert into activities (id, action, organization_id, resource_type, resource_id, resource_name, changes, created_at)
      select uuidv7(), 'task.update', ${team}, 'task', uuidv7(), 'many', '[]', now() from generate_series(1, 501)`);
    const back = await openStream(other, { ...options, lastEventId: stream.lastId });
    const after = await recordChange(api.db, team, { resourceName: 'after' });
    for (const one of [stream, back]) {
      const reset = await one.find(({ event }) => event === 'reset');
      expect(reset.data).toEqual({ reason: 'too_many_changes' });
      // Woken with the next change, or before it.
      expect(['after', undefined]).toContain(one.names()[0]);
      expect(one.lastId).toBeDefined();
    }
    await back.change(after);
    stream.leave();
    back.leave();
  });

  test("must read everything again when the database doesn't know the position", async () => {
    const team = await teamOf();
    const [now] = await api.db.execute<{ next: string }>(
      sql`select pg_snapshot_xmax(pg_current_snapshot())::text as next`,
    );
    // Far ahead: other test files count on in the same cluster.
    const future = String(BigInt(now?.next ?? 0) + 1_000_000_000n);
    const options = { token: owner.token, organizationId: team };
    const current = await openStream(api, options);
    const { sortValue } = api.deps.eventPositions.decode(`events:${team}`, String(current.lastId));
    current.leave();
    const [epoch] = sortValue.split(' ');
    const lastEventId = api.deps.eventPositions.encode(`events:${team}`, {
      sortValue: `${epoch} ${future}:${future}:`,
      id: '',
    });
    const stream = await openStream(api, { ...options, lastEventId });
    const reset = await stream.find(({ event }) => event === 'reset');
    expect(reset.data).toEqual({ reason: 'unknown_position' });
    stream.leave();
  });

  test('is refused with a forged position or one of another organization', async () => {
    const team = await teamOf();
    const stream = await openStream(api, { token: owner.token, organizationId: team });
    const id = String(stream.lastId);
    const forged = [
      id.slice(1),
      id.slice(0, -4),
      id.slice(4) + id.slice(0, 4),
      '1',
      'x'.repeat(8192),
    ];
    for (const lastEventId of forged) {
      const { status, body } = await call(api, 'events.subscribe', {
        token: owner.token,
        organizationId: team,
        headers: { 'last-event-id': lastEventId },
      });
      expect([lastEventId, status]).toEqual([lastEventId, 400]);
      expect(body.errors[0]).toMatchObject({ in: 'headers', path: ['last-event-id'] });
    }
    for (const lastEventId of [id, 'x'.repeat(8193), '']) {
      const response = await call(api, 'events.subscribe', {
        token: owner.token,
        headers: { 'last-event-id': lastEventId },
      });
      expect(response.status).toBe(400);
    }
    stream.leave();
  });
});
