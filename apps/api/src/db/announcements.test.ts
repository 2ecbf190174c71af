import { expect, test } from 'vitest';
import { newId } from '../kernel/ids.ts';
import { recordChange } from '../testing/changes.ts';
import { newTeam } from '../testing/organizations.ts';
import { setUpApiWithUser } from '../testing/set-up.ts';
import { startTcpProxy } from '../testing/tcp-proxy.ts';
import type { Topic } from './announcements.ts';
import { connectDatabase, type DatabaseConnection } from './client.ts';

const received: Topic[] = [];
const { api, user: owner } = await setUpApiWithUser();
await api.deps.listenToChanges({
  onTopic: (topic) => received.push(topic),
  onListening: () => {},
});

/** A connection of another program, such as the operator's commands. */
const connect = (url = api.config.DATABASE_URL): DatabaseConnection =>
  connectDatabase({ url, maxConnections: 2, statementTimeoutMs: 5000 });

const topicOfTeam = async () => {
  const { id } = await newTeam(api, owner);
  return { id, topic: `organization:${id}` as const };
};

test('the changes of a transaction are announced once, even if the program ends at once', async () => {
  const { id, topic } = await topicOfTeam();
  const { db, close } = connect();
  await db.transaction(async (tx) => {
    await recordChange(tx, id);
    await recordChange(tx, id);
  });
  await close(2);
  await expect.poll(() => received.filter((one) => one === topic)).toEqual([topic]);
});

test('a single statement is announced without a transaction', async () => {
  const { id, topic } = await topicOfTeam();
  await recordChange(api.db, id);
  await expect.poll(() => received).toContain(topic);
});

test('a rolled-back change is never announced', async () => {
  const [undone, done] = [await topicOfTeam(), await topicOfTeam()];
  const { db, close } = connect();
  const failure = new Error(newId());
  const work = db.transaction(async (tx) => {
    await recordChange(tx, undone.id);
    throw failure;
  });
  await expect(work).rejects.toBe(failure);
  await recordChange(db, done.id);
  await close(2);
  // Notifications arrive in order.
  await expect.poll(() => received).toContain(done.topic);
  expect(received).not.toContain(undone.topic);
});

test('a listener that could not connect at first receives everything once it can', async () => {
  const url = new URL(api.config.DATABASE_URL);
  const proxy = await startTcpProxy(Number(url.port));
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  const { listen, close } = connect(url.href);
  const topics: Topic[] = [];
  proxy.cut();
  const listening = new Promise<void>((resolve, reject) => {
    listen({ onTopic: (topic) => topics.push(topic), onListening: resolve }).catch(() => {});
    setTimeout(reject, 20_000, new Error('it never listened')).unref();
  });
  // Long enough that more than one attempt fails.
  await new Promise((resolve) => setTimeout(resolve, 500));
  proxy.restore();
  await listening;
  const { id, topic } = await topicOfTeam();
  await recordChange(api.db, id);
  await expect.poll(() => topics).toEqual([topic]);
  await close(2);
  await proxy.close();
});
