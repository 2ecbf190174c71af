// @module-tag slow

import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import { newUser } from '../../testing/accounts.ts';
import { cloneDatabase } from '../../testing/api.ts';
import { openStream } from '../../testing/event-streams.ts';
import { newTeam } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { startTcpProxy } from '../../testing/tcp-proxy.ts';

const databaseUrl = new URL(await cloneDatabase());
const direct = await setUpApi({}, { databaseUrl: databaseUrl.href });
const proxy = await startTcpProxy(Number(databaseUrl.port));
afterAll(() => proxy.close());
databaseUrl.hostname = '127.0.0.1';
databaseUrl.port = String(proxy.port);
// Reaches its database through the proxy.
const api = await setUpApi({}, { databaseUrl: databaseUrl.href });
const owner = await newUser(direct);

/** Makes a change without a notification. @returns the id of its resource */
async function changeSilently(organizationId: string, resourceName = 'Task'): Promise<string> {
  const resourceId = newId();
  await direct.db.execute(sql`
    insert into activities (id, action, organization_id, resource_type, resource_id, resource_name, changes, created_at)
    values (${newId()}, 'task.update', ${organizationId}, 'task', ${resourceId}, ${resourceName}, '[]', now())`);
  return resourceId;
}

async function changeAloud(organizationId: string, resourceName = 'Task'): Promise<string> {
  const resourceId = await changeSilently(organizationId, resourceName);
  await direct.db.execute(sql`select pg_notify('changes', ${`organization:${organizationId}`})`);
  return resourceId;
}

test('a change with a lost notification arrives with the next poll', async () => {
  const { id: team } = await newTeam(api, owner);
  const stream = await openStream(api, { token: owner.token, organizationId: team });
  const changed = await changeSilently(team);
  api.clock.advance({ seconds: 10 });
  expect(await stream.change(changed)).toMatchObject({ event: 'activity' });
  stream.leave();
});

test('a killed connection of the listener loses nothing', async () => {
  const { id: team } = await newTeam(api, owner);
  const stream = await openStream(api, { token: owner.token, organizationId: team });
  const listeners = await direct.db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen %'`);
  expect(listeners.length).toBeGreaterThan(0);
  // Without a notification: the listener polls when it reconnects.
  const unreceived = await changeSilently(team, 'while away');
  await stream.change(unreceived);
  await stream.change(await changeAloud(team, 'when back'));
  expect(stream.names()).toEqual(['while away', 'when back']);
  stream.leave();
});

test('streams survive a database outage, and then get the changes since', async () => {
  const { id: team } = await newTeam(api, owner);
  const stream = await openStream(api, { token: owner.token, organizationId: team });
  proxy.cut();
  await changeAloud(team, 'while away');
  // Long enough that the first attempts to connect again fail.
  await new Promise((resolve) => setTimeout(resolve, 300));
  api.clock.advance({ seconds: 10 });
  proxy.restore();
  await stream.find(
    (message) => message.event === 'activity' && message.data.resourceName === 'while away',
  );
  await expect
    .poll(
      async () => {
        const startedAt = performance.now();
        await stream.change(await changeAloud(team, 'again'));
        return performance.now() - startedAt;
      },
      { timeout: 20_000 },
    )
    .toBeLessThan(1000);
  expect(stream.names()[0]).toBe('while away');
  stream.leave();
});

test('a client that does not read is disconnected, and the others continue', async () => {
  const { id: team } = await newTeam(api, owner);
  const steady = await openStream(api, { token: owner.token, organizationId: team });
  const [idle] = (await once(
    get(`${api.url}/api/events`, {
      headers: { authorization: `Bearer ${owner.token}`, 'x-organization-id': team },
    }),
    'response',
  )) as [IncomingMessage];
  const large = 'x'.repeat(256 * 1024);
  for (let count = 0; count < 60; count += 1) {
    await steady.change(await changeAloud(team, large));
  }
  expect(steady.names()).toHaveLength(60);
  let received = 0;
  idle.on('data', (chunk: Buffer) => (received += chunk.length));
  // Only the service can end it; whether its last message arrives depends on the sockets.
  idle.on('error', () => {});
  await new Promise((resolve) => idle.once('close', resolve));
  expect(received).toBeLessThan(60 * large.length);
  steady.leave();
});
