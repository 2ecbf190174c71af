import { eq, type SQL } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { apiKeys } from '../../db/generated/schema.ts';
import type { Database } from '../../db/executor.ts';
import { createApiKeyUses } from '../../http/api-key-uses.ts';
import { storeKeyUses } from '../../http/queries/api-key-uses.ts';
import { mailsTo, newUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { untilIdle } from '../../testing/library.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { makeKey } from '../../testing/api-keys.ts';

const api = await setUpApi({ TRUSTED_PROXIES: '127.0.0.1' });

/** A person with a key, and requests with it from addresses. */
async function person() {
  const user = await newUser(api);
  const own = { preset: 'read-only', organizationIds: [user.organizationId] };
  const { id, key } = await makeKey(api, user, own);
  const mailsBefore = (await mailsTo(user.email)).length;
  return {
    id,
    /** Sends requests, and writes where they came from. */
    async use(...addresses: string[]): Promise<void> {
      for (const address of addresses) {
        const headers = { 'x-forwarded-for': address };
        expect((await call(api, 'collections.list', { token: key, headers })).status).toBe(200);
      }
      await api.app.apiKeyUses.write();
    },
    networks: async () =>
      (await api.db.select().from(apiKeys).where(eq(apiKeys.id, id)))[0]?.networks,
    /** The mails about the key, when all jobs have run. */
    async mails() {
      await untilIdle(api);
      return (await mailsTo(user.email)).slice(mailsBefore);
    },
  };
}

test('a key that is used from a new network is told about, its first network and neighbours are not', async () => {
  const { use, mails, networks } = await person();
  await use('192.0.2.1');
  await use('192.0.2.200', '::ffff:192.0.2.7');
  expect(await networks()).toEqual(['192.0.2.0/24']);
  await use('203.0.113.9', '192.0.2.1');
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('An API key of yours was used from a new network');
  expect(mail?.text).toContain('203.0.113.0/24');
  expect(await networks()).toEqual(['203.0.113.0/24', '192.0.2.0/24']);
  await use('203.0.113.77');
  expect(await mails()).toHaveLength(1);
});

test('a key that is used from many networks is told about once an hour, and remembers the last 20', async () => {
  const { id, use, mails, networks } = await person();
  await use('2001:db8:1::1');
  await use('2001:db8:1:ff::2', '2001:db8:2::1');
  expect(await networks()).toEqual(['2001:db8:1::/48', '2001:db8:2::/48']);
  for (let n = 1; n <= 25; n += 1) await use(`198.51.${n}.1`);
  expect(await mails()).toHaveLength(1);
  // None is known that was not told about.
  expect(await networks()).toEqual(['2001:db8:1::/48', '2001:db8:2::/48']);
  api.clock.advance({ seconds: 3_700 });
  await use('198.51.1.1', '198.51.2.1');
  expect(await mails()).toHaveLength(2);
  expect((await networks())?.slice(2)).toEqual(['198.51.1.0/24']);
  for (let n = 3; n <= 25; n += 1) {
    const at = new Date(api.clock.now().getTime() + n * 3_700_000);
    await storeKeyUses(api.db, [{ id, at, ip: '::', networks: [`198.51.${n}.0/24`] }]);
  }
  expect(await mails()).toHaveLength(25);
  const last = Array.from({ length: 20 }, (_, index) => `198.51.${index + 6}.0/24`);
  expect(await networks()).toEqual(last);
});

test('of the first networks of a key, one is not told about', async () => {
  const { use, mails, networks } = await person();
  await use('192.0.2.1', '203.0.113.9', '198.51.100.1');
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail?.text).toContain('203.0.113.0/24');
  expect(await networks()).toEqual(['192.0.2.0/24', '203.0.113.0/24']);
});

test('a clock that was set back silences no mail about a network', async () => {
  const { use, mails } = await person();
  await use('192.0.2.1');
  await use('203.0.113.9');
  expect(await mails()).toHaveLength(1);
  api.clock.advance({ seconds: -86_400 });
  try {
    await use('198.51.100.1');
    expect(await mails()).toHaveLength(2);
    await use('198.51.101.1');
    expect(await mails()).toHaveLength(2);
  } finally {
    api.clock.advance({ seconds: 86_400 });
  }
});

test('two processes that write at the same time tell about a network once', async () => {
  const { id, use, mails, networks } = await person();
  await use('192.0.2.1');
  const seen = { id, at: api.clock.now(), ip: '203.0.113.9', networks: ['203.0.113.0/24'] };
  await Promise.all([1, 2, 3, 4].map(() => storeKeyUses(api.db, [seen])));
  expect(await mails()).toHaveLength(1);
  expect(await networks()).toEqual(['192.0.2.0/24', '203.0.113.0/24']);
});

test('a network of uses that could not be written is written with the next ones', async () => {
  const { id, networks } = await person();
  let isAway = true;
  const db = {
    execute: (query: SQL) =>
      isAway ? Promise.reject(new Error('The database is away')) : api.db.execute(query),
  };
  const uses = createApiKeyUses({ ...api.deps, db: db as unknown as Database });
  uses.note(id, '192.0.2.1');
  const write = uses.write();
  uses.note(id, '203.0.113.9');
  await write;
  isAway = false;
  await uses.stop();
  expect(await networks()).toEqual(['192.0.2.0/24', '203.0.113.0/24']);
});
