// @module-tag slow

import postgres from 'postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newUser, type TestUser } from '../testing/accounts.ts';
import { call, startTestApi, type TestApi } from '../testing/api.ts';
import { recordChange } from '../testing/changes.ts';
import { openStream } from '../testing/event-streams.ts';
import { newCollection } from '../testing/library.ts';
import { newTeam } from '../testing/organizations.ts';
import { startReplicatedDatabase, type ReplicatedDatabase } from '../testing/streaming-replica.ts';
import { startProxyTo, type TcpProxy } from '../testing/tcp-proxy.ts';

let database: ReplicatedDatabase;
/** Leads to the primary, before and after the failover. */
let proxy: TcpProxy;
let api: TestApi;
let user: TestUser;
/** A replica that still follows the former primary. */
let leftBehind: string;
beforeAll(async () => {
  database = await startReplicatedDatabase();
  leftBehind = await database.addReplica();
  const through = await startProxyTo(database.primaryUrl);
  proxy = through.proxy;
  api = await startTestApi({}, { databaseUrl: through.url });
  user = await newUser(api);
});
afterAll(async () => {
  await api?.close();
  await proxy?.close();
  await database?.close();
});

const portOf = (url: string) => Number(new URL(url).port);

test('a failover that loses changes resets streams and their positions, and spares no replica of the former primary', async () => {
  const { id: team } = await newTeam(api, user);
  const options = { token: user.token, organizationId: team };
  const stream = await openStream(api, options);
  await stream.change(await recordChange(api.db, team, { resourceName: 'kept' }));
  await database.catchUp();
  await database.promoteReplica();

  // The new primary doesn't have these, and gives the ids of their transactions again.
  for (const resourceName of ['lost', 'lost as well']) {
    await stream.change(await recordChange(api.db, team, { resourceName }));
  }
  const lastEventId = stream.lastId;
  const promoted = await startTestApi(
    { DATABASE_REPLICA_URL: leftBehind },
    { databaseUrl: database.replicaUrl },
  );
  try {
    for (let count = 0; count < 20; count += 1) await recordChange(promoted.db, team);
    proxy.redirect(portOf(database.replicaUrl));
    proxy.cut();
    proxy.restore();
    const reset = await stream.find(({ event }) => event === 'reset');
    expect(reset.data).toEqual({ reason: 'unknown_position' });
    await vi.waitFor(
      async () => {
        const later = await recordChange(api.db, team);
        await stream.change(later);
      },
      { timeout: 20_000 },
    );
    stream.leave();

    const back = await openStream(promoted, { ...options, lastEventId });
    expect((await back.find(({ event }) => event === 'reset')).data).toEqual({
      reason: 'unknown_position',
    });
    expect(back.names()).toEqual([]);
    back.leave();

    // Its log is longer than that of the new primary, and its transactions are others.
    await growLogOfFormerPrimary();
    await newCollection(promoted, user, 'Maps');
    for (let count = 0; count < 20; count += 1) {
      const { body } = await call(promoted, 'timeline.mine', {
        token: user.token,
        query: { action: 'collection.create' },
      });
      const items = body.data.items as { resourceName: string }[];
      expect(items.map(({ resourceName }) => resourceName)).toEqual(['Maps']);
    }
  } finally {
    await promoted.close();
  }
});

async function growLogOfFormerPrimary(): Promise<void> {
  const former = postgres(database.primaryUrl, { max: 1, onnotice: () => {} });
  const replica = postgres(leftBehind, { max: 1, onnotice: () => {} });
  try {
    for (let count = 0; count < 3; count += 1) {
      await former`select pg_switch_wal()`;
      await former`create table former_primary ()`;
      await former`drop table former_primary`;
    }
    const [written] = await former`select pg_current_wal_insert_lsn()::text as position`;
    await vi.waitFor(
      async () => {
        const [row] =
          await replica`select pg_last_wal_replay_lsn() >= ${String(written?.['position'])}::pg_lsn as "isThere"`;
        expect(row?.['isThere']).toBe(true);
      },
      { timeout: 20_000 },
    );
  } finally {
    await Promise.all([former.end(), replica.end()]);
  }
}
