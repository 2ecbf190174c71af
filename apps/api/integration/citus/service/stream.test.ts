import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUser, type TestUser } from '../../../src/testing/accounts.ts';
import { call, startTestApi, type TestApi } from '../../../src/testing/api.ts';
import { moveOrganization, newDistributedDatabase } from '../../../src/testing/citus/databases.ts';
import { openStream } from '../../../src/testing/event-streams.ts';
import { untilFollowed } from '../../../src/testing/library.ts';

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
  await moveOrganization(api.db, user.organizationId);
  await stream.change(await newProject());
  stream.leave();

  await moveOrganization(api.db, user.organizationId);
  const missed = await newProject();
  const resumed = await openStream(api, { ...user, lastEventId: stream.lastId });
  await resumed.change(missed);
  expect(resumed.messages.filter(({ event }) => event === 'reset')).toEqual([]);
  // The consumers of the log continue, too.
  await untilFollowed(api);
  resumed.leave();
});
