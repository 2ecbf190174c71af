import { describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { LiveMessage } from '@atelier/contract';
import { newUser, logIn, type TestUser } from '../../testing/accounts.ts';
import { call, send } from '../../testing/api.ts';
import { makeKey } from '../../testing/api-keys.ts';
import { recordChange } from '../../testing/changes.ts';
import { openStream } from '../../testing/event-streams.ts';
import { newCollection } from '../../testing/library.ts';
import { newProject, newTask } from '../../testing/work.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';

/** A second process on the same database. */
const api = await setUpApi();
const other = await setUpApi({}, { databaseUrl: api.config.DATABASE_URL });
const owner = await newUser(api);

const teamOf = async (user: TestUser = owner) => (await newTeam(api, user)).id;

describe('a stream', () => {
  test('reports a change with the path to read it again', async () => {
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

  test('has the headers of a stream and the common headers', async () => {
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

  test('is not opened by a HEAD request', async () => {
    const response = await send(api, '/api/events', {
      method: 'HEAD',
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect([response.status, response.text]).toEqual([200, '']);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
  });

  test('sends a keep-alive every 15 seconds', async () => {
    const hangUp = new AbortController();
    const { body } = await fetch(`${api.url}/api/events`, {
      headers: { authorization: `Bearer ${owner.token}` },
      signal: hangUp.signal,
    });
    const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>)
      .pipeThrough(new TextDecoderStream())
      .getReader();
    expect((await reader.read()).value).toMatch(/^retry: 2000\nid: \S+\nevent: ready\n/);
    api.clock.advance({ seconds: 15 });
    expect((await reader.read()).value).toBe(':\n\n');
    hangUp.abort();
  });

  test('receives changes of another process without a wait for the next look', async () => {
    const team = await teamOf();
    // What streams look for from time to time, they never do.
    for (const { clock } of [api, other]) clock.stand();
    const streams = await Promise.all(
      [api, other].map((one) => openStream(one, { token: owner.token, organizationId: team })),
    );
    for (const one of [api, other]) {
      const changed = await recordChange(one.db, team);
      const seen = await Promise.all(streams.map((stream) => stream.change(changed)));
      expect(seen).toHaveLength(2);
    }
    streams.forEach((stream) => stream.leave());
  });

  test('receives changes of a task and of a comment, which is stored by a separate statement', async () => {
    other.clock.stand();
    const stream = await openStream(other, { token: owner.token });
    const { id: taskId } = await newTask(api, owner, { projectId: await newProject(api, owner) });
    await stream.change(taskId);
    const { status, body } = await call(api, 'comments.create', {
      token: owner.token,
      params: { taskId },
      body: { body: 'Looks fine' },
    });
    expect(status).toBe(201);
    expect(await stream.change(body.data.id)).toMatchObject({ data: { action: 'comment.create' } });
    stream.leave();
  });

  test("shows what a role may read, and the member's own", async () => {
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
      for (const entry of changes) await recordChange(tx, team, entry);
    });
    const last = await recordChange(api.db, team, { resourceName: 'last' });
    await Promise.all([seenByViewer?.change(last), seenByAdmin?.change(last)]);
    // Changes of one transaction have no order.
    expect(seenByViewer?.names().toSorted()).toEqual([
      'comment',
      'favorite of viewer',
      'last',
      'member',
    ]);
    expect(seenByAdmin?.names().toSorted()).toEqual([
      'comment',
      'invitation',
      'last',
      'member',
      'upload of admin',
    ]);
    seenByViewer?.leave();
    seenByAdmin?.leave();
  });

  test('shows a key no name of what its scopes do not read', async () => {
    const team = await teamOf();
    const comments = ['organization:read', 'comment:read'];
    const [blind, seeing] = await Promise.all(
      [comments, [...comments, 'task:read']].map(async (scopes) => {
        const { key } = await makeKey(api, owner, { scopes, organizationIds: [team] });
        return openStream(api, { token: key, organizationId: team });
      }),
    );
    const projectId = await newProject(api, owner, { organizationId: team });
    const { id: taskId } = await newTask(api, owner, { projectId, organizationId: team });
    const options = { token: owner.token, organizationId: team, params: { taskId } };
    const posted = await call(api, 'comments.create', { ...options, body: { body: 'Fine' } });
    await seeing?.change(posted.body.data.id);
    await call(api, 'organizations.rename', {
      token: owner.token,
      params: { id: team },
      body: { name: 'Renamed' },
    });
    const shown = await blind?.change(team);
    expect(shown).toMatchObject({ data: { action: 'organization.rename' } });
    expect(blind?.messages.filter(({ event }) => event === 'activity')).toEqual([shown]);
    blind?.leave();
    seeing?.leave();
  });

  test('never shows changes of other organizations or of none', async () => {
    const stranger = await newUser(api);
    const [mine, theirs] = [await teamOf(), await teamOf(stranger)];
    const stream = await openStream(api, { token: owner.token, organizationId: mine });
    await recordChange(api.db, theirs, { resourceName: 'theirs' });
    await newCollection(api, owner);
    await logIn(api, owner);
    await stream.change(await recordChange(api.db, mine, { resourceName: 'mine' }));
    expect(stream.names()).toEqual(['mine']);
    stream.leave();
    const refused = await call(api, 'events.subscribe', {
      token: owner.token,
      organizationId: theirs,
    });
    expect([refused.status, refused.body.code]).toEqual([403, 'organization_access_denied']);
  });
});

test('one user has at most 20 streams, and can open another after closing one', async () => {
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
