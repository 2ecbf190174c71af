import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eq, sql } from 'drizzle-orm';
import { LiveMessage } from '@atelier/contract';
import { memberships } from '../../db/schema/index.ts';
import { recordActivity } from '../../kernel/activity.ts';
import { newId } from '../../kernel/ids.ts';
import type { Executor } from '../../db/client.ts';
import { newUser, logIn, type TestUser } from '../../testing/accounts.ts';
import { call, send, startTestApi, type TestApi } from '../../testing/api.ts';
import { openStream } from '../../testing/event-streams.ts';
import { newCollection } from '../../testing/library.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';

let api: TestApi;
/** A second process on the same database. */
let other: TestApi;
let owner: TestUser;
beforeAll(async () => {
  api = await startTestApi();
  other = await startTestApi({}, { databaseUrl: api.config.DATABASE_URL });
  owner = await newUser(api);
});
afterAll(async () => {
  await other.close();
  await api.close();
});

/** Records that a task changed, as a mutation of the service would. @returns the id of the task */
async function change(
  organizationId: string,
  entry: Partial<Parameters<typeof recordActivity>[1]> = {},
  tx: Executor = api.db,
): Promise<string> {
  const resourceId = newId();
  await recordActivity(tx, {
    action: 'task.update',
    actorId: owner.id,
    organizationId,
    resourceType: 'task',
    resourceId,
    resourceName: 'Task',
    requestId: 'req_test',
    at: new Date(),
    ...entry,
  });
  return resourceId;
}

const teamOf = async (user: TestUser = owner) => (await newTeam(api, user)).id;

describe('a stream', () => {
  test('tells of a change with what is needed to read it again', async () => {
    const stream = await openStream(api, { token: owner.token });
    const collectionId = await newCollection(api, owner);
    const message = await stream.change(collectionId);
    expect(LiveMessage.parse(message)).toEqual({
      event: 'activity',
      data: {
        id: expect.any(String),
        action: 'collection.create',
        actor: { id: owner.id, name: expect.stringMatching(/^someone-/) },
        organizationId: owner.organizationId,
        resourceType: 'collection',
        resourceId: collectionId,
        resourceName: expect.any(String),
        createdAt: expect.any(String),
      },
    });
    const [stored] = await api.db.execute(
      sql`select id from activities where resource_id = ${collectionId}`,
    );
    expect(message).toMatchObject({ id: expect.any(String), data: { id: stored?.['id'] } });
    stream.leave();
  });

  test('has the headers of a stream and those of every answer', async () => {
    const stream = await openStream(api, { token: owner.token });
    const { headers } = stream.response;
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    });
    expect(headers.get('content-encoding')).toBeNull();
    stream.leave();
    const { status, headers: ofPage } = await send(api, '/api/events', {
      headers: { origin: 'https://app.example.com' },
    });
    expect([status, ofPage.get('access-control-allow-origin')]).toEqual([
      401,
      'https://app.example.com',
    ]);
  });

  test('allows pages of the app to read it', async () => {
    const hangUp = new AbortController();
    const { headers } = await fetch(`${api.url}/api/events`, {
      headers: { authorization: `Bearer ${owner.token}`, origin: 'https://app.example.com' },
      signal: hangUp.signal,
    });
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    hangUp.abort();
  });

  test('is not opened by a HEAD', async () => {
    const answer = await send(api, '/api/events', {
      method: 'HEAD',
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
  });

  test('hears of changes that another process makes, within a second', async () => {
    const team = await teamOf();
    const streams = await Promise.all(
      [api, other].map((one) => openStream(one, { token: owner.token, organizationId: team })),
    );
    for (const one of [api, other]) {
      const startedAt = performance.now();
      const changed = await change(team, {}, one.db);
      await Promise.all(streams.map((stream) => stream.change(changed)));
      expect(performance.now() - startedAt).toBeLessThan(1000);
    }
    streams.forEach((stream) => stream.leave());
  });

  test('shows what a role may read, and its own', async () => {
    const team = await teamOf();
    const [viewer, admin] = [await newUser(api), await newUser(api)];
    await joinTeam(api, team, viewer, 'VIEWER');
    await joinTeam(api, team, admin, 'ADMIN');
    const [seenByViewer, seenByAdmin] = await Promise.all(
      [viewer, admin].map(({ token }) => openStream(api, { token, organizationId: team })),
    );
    const upload = { action: 'upload.initiate', resourceType: 'upload' } as const;
    const favorite = { action: 'asset.favorite', resourceType: 'asset' } as const;
    const changes = [
      { action: 'invitation.create', resourceType: 'invitation', resourceName: 'invitation' },
      { ...upload, resourceName: 'upload of admin', actorId: admin.id },
      { ...favorite, resourceName: 'favorite of viewer', actorId: viewer.id },
      { action: 'comment.create', resourceType: 'comment', resourceName: 'comment' },
      { action: 'member.update', resourceType: 'member', resourceName: 'member' },
    ] as const;
    await api.db.transaction(async (tx) => {
      for (const entry of changes) await change(team, entry, tx);
    });
    const last = await change(team, { resourceName: 'last' });
    await Promise.all([seenByViewer?.change(last), seenByAdmin?.change(last)]);
    expect(seenByViewer?.names()).toEqual(['favorite of viewer', 'comment', 'member', 'last']);
    expect(seenByAdmin?.names()).toEqual([
      'invitation',
      'upload of admin',
      'comment',
      'member',
      'last',
    ]);
    seenByViewer?.leave();
    seenByAdmin?.leave();
  });

  test('never shows other organizations, nor what belongs to none', async () => {
    const stranger = await newUser(api);
    const [mine, theirs] = [await teamOf(), await teamOf(stranger)];
    const stream = await openStream(api, { token: owner.token, organizationId: mine });
    await change(theirs, { resourceName: 'theirs' });
    await newCollection(api, owner);
    await logIn(api, owner);
    await stream.change(await change(mine, { resourceName: 'mine' }));
    expect(stream.names()).toEqual(['mine']);
    stream.leave();
    const refused = await call(api, 'events.subscribe', {
      token: owner.token,
      organizationId: theirs,
    });
    expect([refused.status, refused.body.code]).toEqual([403, 'organization_access_denied']);
  });
});

describe('a reader that comes back', () => {
  test('gets what it missed, also at another process, and nothing twice', async () => {
    const team = await teamOf();
    const options = { token: owner.token, organizationId: team };
    const first = await openStream(api, options);
    await first.change(await change(team, { resourceName: '1' }));
    first.leave();
    await change(team, { resourceName: '2' });
    await change(team, { resourceName: '3' });
    const second = await openStream(other, { ...options, lastEventId: first.lastId });
    await second.change(await change(team, { resourceName: '4' }));
    expect(second.names()).toEqual(['2', '3', '4']);
    second.leave();
  });

  test('goes on in the middle of a transaction of many changes', async () => {
    const team = await teamOf();
    const options = { token: owner.token, organizationId: team };
    const whole = await openStream(api, options);
    await api.db.transaction(async (tx) => {
      for (const name of ['a', 'b', 'c', 'd']) await change(team, { resourceName: name }, tx);
    });
    const last = await change(team, { resourceName: 'e' });
    await whole.change(last);
    expect(whole.names()).toEqual(['a', 'b', 'c', 'd', 'e']);
    const ids = whole.messages.map(({ id }) => id);
    for (const [index, lastEventId] of ids.entries()) {
      const rest = await openStream(other, { ...options, lastEventId });
      if (index < ids.length - 1) await rest.change(last);
      expect(rest.names()).toEqual(whole.names().slice(index));
      // Also from a position within the repetition itself.
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

  test('never misses what a long transaction commits after later ones', async () => {
    const team = await teamOf();
    const options = { token: owner.token, organizationId: team };
    const stream = await openStream(api, options);
    const { early, late } = await api.db.transaction(async (tx) => {
      const early = await change(team, { resourceName: 'begun first' }, tx);
      const late = await change(team, { resourceName: 'begun second' });
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

  test('has every change exactly once, however writers and reconnections interleave', async () => {
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
            await change(team, { resourceName: `${number}.${round}.a` }, tx);
            await tx.execute(sql`select pg_sleep(${((number * 7 + round * 13) % 30) / 1000})`);
            await change(team, { resourceName: `${number}.${round}.b` }, tx);
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
    const end = await change(team, { resourceName: 'end' });
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
      // One after the other: within a transaction, and from one transaction of a writer to its next.
      const ofWriter = names.filter((name) => name.startsWith('3.'));
      const order = (name: string) => Number(name.split('.')[1]) * 2 + (name.endsWith('b') ? 1 : 0);
      expect(ofWriter).toEqual(ofWriter.toSorted((a, b) => order(a) - order(b)));
    }
    steady.leave();
    stream.leave();
  });

  test('is told to read everything again after too many changes', async () => {
    const team = await teamOf();
    const options = { token: owner.token, organizationId: team };
    const stream = await openStream(api, options);
    await api.db.execute(sql`
      insert into activities (id, action, organization_id, resource_type, resource_id, resource_name, changes, created_at)
      select uuidv7(), 'task.update', ${team}, 'task', uuidv7(), 'many', '[]', now() from generate_series(1, 501)`);
    const back = await openStream(other, { ...options, lastEventId: stream.lastId });
    const after = await change(team, { resourceName: 'after' });
    for (const one of [stream, back]) {
      const reset = await one.find(({ event }) => event === 'reset');
      expect(reset.data).toEqual({ reason: 'too_many_changes' });
      // Woken together with the change after them, or before it.
      expect(['after', undefined]).toContain(one.names()[0]);
      expect(one.lastId).toBeDefined();
    }
    await back.change(after);
    stream.leave();
    back.leave();
  });

  test('is told to read everything again where the database knows no such position', async () => {
    const team = await teamOf();
    const [now] = await api.db.execute<{ next: string }>(
      sql`select pg_snapshot_xmax(pg_current_snapshot())::text as next`,
    );
    const future = String(BigInt(now?.next ?? 0) + 1000n);
    const lastEventId = api.deps.cursors.encode(`events:${team}`, {
      sortValue: `${future}:${future}:`,
      id: '',
    });
    const stream = await openStream(api, { token: owner.token, organizationId: team, lastEventId });
    const reset = await stream.find(({ event }) => event === 'reset');
    expect(reset.data).toEqual({ reason: 'unknown_position' });
    stream.leave();
  });

  test('is refused with a position that is forged or of another organization', async () => {
    const team = await teamOf();
    const stream = await openStream(api, { token: owner.token, organizationId: team });
    const id = String(stream.lastId);
    const forged = [id.slice(1), `${id}x`, id.replace('.', ''), '1', 'x'.repeat(8192)];
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
      const answer = await call(api, 'events.subscribe', {
        token: owner.token,
        headers: { 'last-event-id': lastEventId },
      });
      expect(answer.status).toBe(400);
    }
    stream.leave();
  });
});

describe('a stream ends', () => {
  test('with its access token', async () => {
    const user = await newUser(api);
    const stream = await openStream(api, { token: user.token });
    api.clock.advance({ seconds: 15 * 60 });
    expect(await stream.closed()).toBe('token_expired');
    api.clock.advance({ seconds: -15 * 60 });
  });

  test.each([
    [
      'a logout',
      (user: TestUser) => call(other, 'auth.logout', { body: { refreshToken: user.refreshToken } }),
    ],
    [
      'a session that is sent away',
      async (user: TestUser) => {
        const elsewhere = await logIn(other, user);
        await call(other, 'sessions.endOthers', { token: elsewhere.token });
      },
    ],
    [
      'a refresh token that is presented twice',
      async (user: TestUser) => {
        const body = { refreshToken: user.refreshToken };
        await call(other, 'auth.refresh', { body });
        other.clock.advance({ seconds: 3600 });
        await call(other, 'auth.refresh', { body });
        other.clock.advance({ seconds: -3600 });
      },
    ],
  ])('within a second of %s at another process', async (_, endSession) => {
    const user = await newUser(api);
    const stream = await openStream(api, { token: user.token });
    await endSession(user);
    const startedAt = performance.now();
    expect(await stream.closed()).toBe('session_ended');
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });

  test('with the membership, before the next change is shown', async () => {
    const team = await teamOf();
    const member = await newUser(api);
    const { memberId } = await joinTeam(api, team, member, 'MEMBER');
    const options = { token: member.token, organizationId: team };
    const stream = await openStream(api, options);
    await other.db.transaction(async (tx) => {
      await tx.update(memberships).set({ status: 'SUSPENDED' }).where(eq(memberships.id, memberId));
      await change(team, { resourceName: 'beside it' }, tx);
      await change(team, { action: 'member.update', resourceType: 'member' }, tx);
    });
    await change(team, { resourceName: 'after it' });
    expect(await stream.closed()).toBe('access_ended');
    expect(stream.names()).toEqual([]);
  });

  test('with the membership, also when nobody announced it', async () => {
    const team = await teamOf();
    const member = await newUser(api);
    const { memberId } = await joinTeam(api, team, member, 'MEMBER');
    const stream = await openStream(api, { token: member.token, organizationId: team });
    await api.db.delete(memberships).where(eq(memberships.id, memberId));
    api.clock.advance({ seconds: 10 });
    expect(await stream.closed()).toBe('access_ended');
  });

  test('never for a new role, which counts from the change that gave it', async () => {
    const team = await teamOf();
    const member = await newUser(api);
    const { memberId } = await joinTeam(api, team, member, 'ADMIN');
    const stream = await openStream(api, { token: member.token, organizationId: team });
    const setRole = (role: 'VIEWER' | 'ADMIN') =>
      other.db.transaction(async (tx) => {
        await tx.update(memberships).set({ role }).where(eq(memberships.id, memberId));
        await change(
          team,
          { action: 'member.update', resourceType: 'member', resourceName: role },
          tx,
        );
      });
    const invite = (resourceName: string) =>
      change(team, { action: 'invitation.create', resourceType: 'invitation', resourceName });
    await setRole('VIEWER');
    await invite('to a viewer');
    await setRole('ADMIN');
    await stream.find(
      (message) => message.event === 'activity' && message.data.resourceName === 'ADMIN',
    );
    await stream.change(await invite('to an admin'));
    expect(stream.names().filter((name) => name !== 'to a viewer')).toEqual([
      'VIEWER',
      'ADMIN',
      'to an admin',
    ]);
    stream.leave();
  });

  test('when the process stops, which does not wait for it', async () => {
    const third = await startTestApi({}, { databaseUrl: api.config.DATABASE_URL });
    const stream = await openStream(third, { token: owner.token });
    const startedAt = performance.now();
    await third.close();
    expect(await stream.closed()).toBe('shutting_down');
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });
});

test('one user has at most 20 streams, and another one when one is closed', async () => {
  const user = await newUser(api);
  const streams = await Promise.all(
    Array.from({ length: 20 }, () => openStream(api, { token: user.token })),
  );
  const refused = await call(api, 'events.subscribe', { token: user.token });
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect(refused.headers.get('retry-after')).toBe('60');
  streams[0]?.leave();
  await expect
    .poll(() =>
      openStream(api, { token: user.token }).then(
        (stream) => streams.push(stream) > 0,
        () => false,
      ),
    )
    .toBe(true);
  streams.forEach((stream) => stream.leave());
});
