// @module-tag slow

import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { expect, inject, onTestFinished, test } from 'vitest';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { cloneDatabase, startTestApi, type TestApi } from '../../testing/api.ts';
import { recordChange } from '../../testing/changes.ts';
import { closeDatabase, databaseOf, migrateForService } from '../../testing/databases.ts';
import { openStream, type OpenStream } from '../../testing/event-streams.ts';
import { crash, startOwnServer } from '../../testing/own-server.ts';
import { newTeam } from '../../testing/organizations.ts';

interface Stage {
  readonly api: TestApi;
  readonly databaseUrl: string;
  readonly user: TestUser;
  readonly team: string;
}

async function stageOf(ownServer?: string): Promise<Stage> {
  const databaseUrl = ownServer ?? (await cloneDatabase());
  const api = await startTestApi({}, { databaseUrl });
  onTestFinished(() => api.close());
  const user = await newUser(api);
  const { id: team } = await newTeam(api, user);
  return { api, databaseUrl, user, team };
}

const unknown = { reason: 'unknown_position' };

/** Lets the times pass at which open streams are checked, until the stream is reset. */
async function expectReset(api: TestApi, { messages }: OpenStream): Promise<void> {
  await expect
    .poll(
      () => {
        api.clock.advance({ seconds: 10 });
        return messages.find(({ event }) => event === 'reset')?.data;
      },
      { timeout: 20_000, interval: 500 },
    )
    .toEqual(unknown);
}

/** Replaces a database by a copy of its rows, on the same server and under the same name. */
async function restoreDatabase(url: string): Promise<void> {
  const name = databaseOf(url);
  const server = postgres(inject('services').postgresUrl, { max: 1, onnotice: () => {} });
  try {
    // No pool connects before the copy has the name.
    await closeDatabase(server, name);
    await server`alter database ${server(name)} rename to ${server(`${name}_old`)}`;
    await server`create database ${server(name)} template ${server(`${name}_old`)}`;
  } finally {
    await server.end();
  }
}

test('streams are reset after the database was restored on the same server, even without later changes', async () => {
  const { api, databaseUrl, user, team } = await stageOf();
  const options = { token: user.token, organizationId: team };
  const stream = await openStream(api, options);
  await stream.change(await recordChange(api.db, team));
  const lastEventId = stream.lastId;
  await restoreDatabase(databaseUrl);
  await expectReset(api, stream);
  const later = await recordChange(api.db, team, { resourceName: 'later' });
  await stream.change(later);

  const back = await openStream(api, { ...options, lastEventId });
  expect((await back.find(({ event }) => event === 'reset')).data).toEqual(unknown);
  expect(back.names()).toEqual([]);
  // From there on, nothing is missing.
  const next = await recordChange(api.db, team, { resourceName: 'next' });
  await back.change(next);
  for (const one of [stream, back]) one.leave();
});

test('streams are reset after the tables were restored in the same database', async () => {
  const { api, databaseUrl, user, team } = await stageOf();
  const options = { token: user.token, organizationId: team };
  const stream = await openStream(api, options);
  await stream.change(await recordChange(api.db, team));
  await api.db.transaction(async (tx) => {
    await tx.execute(sql`create table restored (like activities including all)`);
    await tx.execute(sql`insert into restored select * from activities`);
    await tx.execute(sql`alter table activities rename to activities_as_before`);
    await tx.execute(sql`alter table restored rename to activities`);
  });
  await migrateForService(databaseUrl);
  api.clock.advance({ seconds: 10 });
  expect((await stream.find(({ event }) => event === 'reset')).data).toEqual(unknown);
  stream.leave();
});

test('streams are reset after the server recovered from a crash, after which it gives ids again', async () => {
  const { api, user, team } = await stageOf(await startOwnServer());
  const options = { token: user.token, organizationId: team };
  const stream = await openStream(api, options);
  await stream.change(await recordChange(api.db, team));
  await crash(api.db);
  await expectReset(api, stream);
  await stream.change(await recordChange(api.db, team, { resourceName: 'later' }));
  stream.leave();
});

test('a position of a release that noted no epoch is reset, not refused', async () => {
  const { api, user, team } = await stageOf();
  const [now] = await api.db.execute<{ snapshot: string; next: string }>(
    sql`select pg_current_snapshot()::text as snapshot, pg_snapshot_xmax(pg_current_snapshot())::text as next`,
  );
  await recordChange(api.db, team);
  const snapshot = String(now?.snapshot);
  for (const [sortValue, id] of [
    [snapshot, ''],
    [`${snapshot} ${snapshot} ${now?.next}`, team],
  ] as const) {
    const lastEventId = api.deps.eventPositions.encode(`events:${team}`, { sortValue, id });
    const stream = await openStream(api, { token: user.token, organizationId: team, lastEventId });
    expect((await stream.find(({ event }) => event === 'reset')).data).toEqual(unknown);
    expect(stream.names()).toEqual([]);
    stream.leave();
  }
});
