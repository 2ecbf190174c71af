import { setTimeout as delay } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { shares } from '../../../db/generated/schema.ts';
import { newUser } from '../../../testing/accounts.ts';
import { call } from '../../../testing/api.ts';
import { someFile, uploadFile } from '../../../testing/library.ts';
import { newTeam } from '../../../testing/organizations.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const api = await setUpApi({
  RATE_LIMIT_ENABLED: 'true',
  RATE_LIMIT_REGISTER_PER_ADDRESS: '1000',
  RATE_LIMIT_SHARE_PASSWORDS_PER_SHARE: '12',
  RATE_LIMIT_SHARE_REQUESTS_PER_TICKET: '5',
  RATE_LIMIT_SHARE_COMMENTS_PER_TICKET: '2',
  RATE_LIMIT_SHARE_COMMENTS_PER_SHARE: '3',
  TRUSTED_PROXIES: '127.0.0.1',
});

async function newShares(count: number) {
  const user = await newUser(api);
  const { id: organizationId } = await newTeam(api, user);
  const by = { token: user.token, organizationId };
  const { body } = await call(api, 'collections.create', { ...by, body: { title: 'Autumn' } });
  const target = { targetType: 'COLLECTION', targetId: body.data.id, password: 'printer 4711' };
  const made = [];
  for (let index = 0; index < count; index += 1) {
    made.push((await call(api, 'shares.create', { ...by, body: target })).body.data);
  }
  return { by, made };
}

const open = (share: { url: string }, password: string, address = '203.0.113.7') =>
  call(api, 'shares.open', {
    body: { token: share.url.split('#')[1], password },
    headers: { 'x-forwarded-for': address },
  });

test('eleven wrong passwords stop the share for that network, and no other share', async () => {
  const {
    made: [share, other],
  } = await newShares(2);
  const codes = [];
  for (let attempt = 0; attempt < 11; attempt += 1) {
    codes.push((await open(share, `wrong ${attempt}`)).body.code);
  }
  expect(codes).toEqual([...Array(10).fill('share_password_wrong'), 'rate_limited']);
  const right = await open(share, 'printer 4711', '203.0.113.99');
  expect([right.status, right.headers.get('retry-after') !== null]).toEqual([429, true]);
  expect((await open(other, 'printer 4711')).status).toBe(200);
  expect((await open(share, 'printer 4711', '198.51.100.7')).status).toBe(200);
  const [row] = await api.db.select().from(shares).where(eq(shares.id, share.id));
  expect(row?.guessingNoticedAt).not.toBeNull();
});

test('wrong passwords from anywhere stop the share for all', async () => {
  const {
    made: [share],
  } = await newShares(1);
  for (let network = 0; network < 12; network += 1) {
    const { body } = await open(share, 'wrong one', `198.51.${network}.7`);
    expect(body.code).toBe('share_password_wrong');
  }
  expect((await open(share, 'printer 4711', '192.0.2.7')).status).toBe(429);
});

test('right passwords count for nothing', async () => {
  const {
    made: [share],
  } = await newShares(1);
  for (let opening = 0; opening < 12; opening += 1) {
    expect((await open(share, 'printer 4711')).status).toBe(200);
  }
});

const together = (count: number, opening: (index: number) => ReturnType<typeof open>) =>
  Promise.all(Array.from({ length: count }, (_, index) => opening(index)));

const guessingNoticedAt = async ({ id }: { id: string }) => {
  const [row] = await api.db.select().from(shares).where(eq(shares.id, id));
  return row?.guessingNoticedAt;
};

test('right passwords at the same time wait for each other, and are no guessing', async () => {
  const {
    made: [share],
  } = await newShares(1);
  /** On a busy machine, those before take longer than an opening waits for them. */
  const openSoon = async (): ReturnType<typeof open> => {
    const opened = await open(share, 'printer 4711');
    if (opened.status !== 429) return opened;
    expect(opened.headers.get('retry-after')).toBe('1');
    await delay(1_000);
    return openSoon();
  };
  const opened = await together(25, openSoon);
  expect(opened.map(({ status }) => status)).toEqual(Array(25).fill(200));
  expect(await guessingNoticedAt(share)).toBeNull();
});

test('an opening waits a little for those under way, and is then to be repeated soon', async () => {
  const {
    made: [share],
  } = await newShares(1);
  const verify = vi.spyOn(api.deps.passwords, 'verify');
  let release = () => {};
  const held = new Promise<void>((resolve) => void (release = resolve));
  verify.mockImplementation(() => held.then(() => true));
  try {
    const underWay = together(10, () => open(share, 'printer 4711'));
    await expect.poll(() => verify.mock.calls).toHaveLength(10);
    const refused = await open(share, 'printer 4711');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(verify).toHaveBeenCalledTimes(10);
    expect(await guessingNoticedAt(share)).toBeNull();
    release();
    expect((await underWay).map(({ status }) => status)).toEqual(Array(10).fill(200));
  } finally {
    release();
    verify.mockRestore();
  }
  expect((await open(share, 'printer 4711')).status).toBe(200);
});

test('wrong passwords at the same time are compared as often as they may be wrong', async () => {
  const {
    made: [share],
  } = await newShares(1);
  const verify = vi.spyOn(api.deps.passwords, 'verify');
  const guessed = await together(25, (index) => open(share, `wrong ${index}`));
  expect(verify).toHaveBeenCalledTimes(10);
  verify.mockRestore();
  const codes = guessed.map(({ body }) => body.code).toSorted();
  expect(codes).toEqual([
    ...Array(15).fill('rate_limited'),
    ...Array(10).fill('share_password_wrong'),
  ]);
  const refused = await open(share, 'printer 4711');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
  expect(await guessingNoticedAt(share)).not.toBeNull();
});

test('each ticket has requests of its own', async () => {
  const {
    made: [share],
  } = await newShares(1);
  const visit = async () => {
    const { body } = await open(share, 'printer 4711');
    const headers = { authorization: `Share ${body.data.ticket}` };
    return () => call(api, 'shares.shared', { headers });
  };
  const [first, second] = [await visit(), await visit()];
  for (let request = 0; request < 5; request += 1) expect((await first()).status).toBe(200);
  expect((await first()).status).toBe(429);
  expect((await second()).status).toBe(200);
});

test('tickets of one share and network have ten times as many together', async () => {
  const { made } = await newShares(2);
  const visit = async (share: { url: string }, address: string) => {
    const { body } = await open(share, 'printer 4711', address);
    const headers = {
      authorization: `Share ${body.data.ticket}`,
      'x-forwarded-for': address,
    };
    return async () => {
      const { status, headers: received } = await call(api, 'shares.shared', { headers });
      return [status, received.get('retry-after') !== null];
    };
  };
  for (let ticket = 0; ticket < 10; ticket += 1) {
    const ask = await visit(made[0], `203.0.113.${ticket}`);
    for (let request = 0; request < 5; request += 1) expect(await ask()).toEqual([200, false]);
  }
  const [refused, elsewhere, other] = [
    await visit(made[0], '203.0.113.99'),
    await visit(made[0], '198.51.100.7'),
    await visit(made[1], '203.0.113.99'),
  ];
  expect(await refused()).toEqual([429, true]);
  expect(await elsewhere()).toEqual([200, false]);
  expect(await other()).toEqual([200, false]);
});

test('comments are limited by ticket and by share; refused ones count for nothing', async () => {
  const { by, made } = await newShares(2);
  const params = { id: made[0].target.id };
  const { id } = await uploadFile(api, { token: by.token }, someFile(3), {
    collectionId: params.id,
    organizationId: by.organizationId,
  });
  for (const share of made) {
    const allow = { ...by, params: { id: share.id }, body: { allowComments: true } };
    expect((await call(api, 'shares.update', allow)).status).toBe(200);
  }
  const visitor = async (share: { url: string }) => {
    const { body } = await open(share, 'printer 4711');
    const headers = { authorization: `Share ${body.data.ticket}` };
    return (text = 'Blurred') =>
      call(api, 'shares.createSharedComment', {
        headers,
        params: { id },
        body: { body: text, visitorName: 'Grace' },
      });
  };
  const first = await visitor(made[0]);
  expect((await first(' ')).status).toBe(400);
  const statuses = [(await first()).status, (await first()).status, (await first()).status];
  expect(statuses).toEqual([201, 201, 429]);
  const second = await visitor(made[0]);
  const refused = [await second(), await second()];
  expect(refused.map(({ status }) => status)).toEqual([201, 429]);
  expect(refused[1]?.headers.get('retry-after')).not.toBeNull();
  expect((await (await visitor(made[1]))()).status).toBe(201);
});
