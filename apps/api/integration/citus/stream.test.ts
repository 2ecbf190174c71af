import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUser, type TestUser } from '../../src/testing/accounts.ts';
import { call, startTestApi, type TestApi } from '../../src/testing/api.ts';
import { newDistributedDatabase } from '../../src/testing/citus/databases.ts';
import { openStream } from '../../src/testing/event-streams.ts';
import { untilFollowed } from '../../src/testing/library.ts';

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await startTestApi({}, { databaseUrl: await newDistributedDatabase() });
  user = await newUser(api);
});
afterAll(() => api.close());

async function newProject(): Promise<string> {
  const { token } = user;
  const { status, body } = await call(api, 'projects.create', { token, body: { name: 'Live' } });
  expect(status).toBe(201);
  return body.data.id;
}

/** Moves all rows of the user's organization to the other worker, where another Postgres numbers transactions. */
async function moveOrganization(): Promise<void> {
  const placementOf = sql`
    select n.nodename as host, n.nodeport as port, s.shardid as shard
    from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
    join (select get_shard_id_for_distribution_column('projects', ${user.organizationId}::uuid) as shardid) s
      on s.shardid = p.shardid`;
  const [before] = await api.db.execute<{ port: number }>(placementOf);
  await api.db.execute(sql`
    select citus_move_shard_placement(placed.shard, placed.host, placed.port, other.nodename, other.nodeport, 'block_writes')
    from (${placementOf}) as placed join pg_dist_node other
      on other.groupid <> 0 and (other.nodename, other.nodeport) <> (placed.host, placed.port)`);
  const [after] = await api.db.execute<{ port: number }>(placementOf);
  expect(after?.port).not.toBe(before?.port);
}

test('a stream delivers changes as they are committed, and after a pause what was missed', async () => {
  const stream = await openStream(api, user);
  await stream.change(await newProject());
  stream.leave();

  const missed = await newProject();
  const resumed = await openStream(api, { ...user, lastEventId: stream.lastId });
  await resumed.change(missed);
  expect(resumed.messages.filter(({ event }) => event === 'reset')).toEqual([]);
  resumed.leave();
});

test('a stream continues while its organization moves to another server', async () => {
  const stream = await openStream(api, user);
  await stream.change(await newProject());
  await moveOrganization();
  await stream.change(await newProject());
  stream.leave();

  await moveOrganization();
  const missed = await newProject();
  const resumed = await openStream(api, { ...user, lastEventId: stream.lastId });
  await resumed.change(missed);
  expect(resumed.messages.filter(({ event }) => event === 'reset')).toEqual([]);
  // The consumers of the log continue, too.
  await untilFollowed(api);
  resumed.leave();
});
