// @module-tag slow

import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { knownOrigins, sessions } from '../../db/generated/schema.ts';
import { eraseReferences } from '../../domain/account-erasure/queries.ts';
import { enqueueSecurityNotice } from '../../domain/security-notices.ts';
import { newId } from '../../kernel/ids.ts';
import {
  mailsTo,
  newUser,
  nextMail,
  somePassword,
  tokenIn,
  type TestUser,
} from '../../testing/accounts.ts';
import { call, someEmail, startTestApi, type TestApi } from '../../testing/api.ts';
import { Browser } from '../../testing/browser.ts';
import { untilIdle } from '../../testing/library.ts';
import { operate } from '../../testing/operator.ts';
import { addPasskey, signedForSignIn } from '../../testing/passkeys.ts';
import { enrol, nextTotp } from '../../testing/second-factors.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi({ TRUSTED_PROXIES: '127.0.0.1' });

const environment = { DATABASE_URL: api.config.DATABASE_URL };

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const home = '192.0.2.1';
const office = '203.0.113.9';

const from = (agent: string, address: string) => ({
  headers: { 'user-agent': agent, 'x-forwarded-for': address },
});

const sameSubject = 'Sign-in to your account';
const newSubject = 'New sign-in to your account';

/** An account that has signed in from home, with Firefox. */
async function person() {
  const email = someEmail('origins');
  await call(api, 'auth.register', { body: { email, password: somePassword } });
  const body = { token: tokenIn(await nextMail(email)) };
  await call(api, 'auth.verifyEmail', { body });
  const token = await signIn({ email }, firefox, home);
  return { email, token };
}

async function signIn(
  { email }: Pick<TestUser, 'email'>,
  agent: string,
  address: string,
  at = api,
): Promise<string> {
  const body = { email, password: somePassword };
  const response = await call(at, 'auth.login', { body, ...from(agent, address) });
  expect([response.status, response.body.code]).toEqual([200, undefined]);
  return response.body.data.token.accessToken;
}

/** The mails about sign-ins, when all jobs have run. */
async function notices({ email }: Pick<TestUser, 'email'>, at: TestApi = api) {
  await untilIdle(at);
  return (await mailsTo(email)).filter(({ subject }) =>
    [newSubject, sameSubject].includes(subject),
  );
}

const countOf = async (user: Pick<TestUser, 'email'>) => (await notices(user)).length;

async function knownTo({ email }: Pick<TestUser, 'email'>) {
  const [row] = await api.db
    .select()
    .from(knownOrigins)
    .where(sql`${knownOrigins.userId} = (select id from users where users.email = ${email})`);
  return row;
}

describe('a sign-in is mailed', () => {
  test('from a new device and from a new network, but not the first, nor from known ones', async () => {
    const ada = await person();
    await signIn(ada, firefox, '192.0.2.200');
    await signIn(ada, firefox, '::ffff:192.0.2.7');
    // Another version is the same device.
    await signIn(ada, firefox.replaceAll('145', '146'), home);
    expect(await countOf(ada)).toBe(0);

    const at = api.clock.now();
    await signIn(ada, safari, home);
    const [mail, ...more] = await notices(ada);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(newSubject);
    for (const part of ['Safari on iOS', home, 'https://app.example.com/settings/security']) {
      expect(mail?.text).toContain(part);
      expect(mail?.html).toContain(part);
    }
    expect(mail?.text).toContain(String(at.getUTCFullYear()));
    expect(mail?.text).toMatch(/It was on \d+ \w+ \d{4} at \d\d:\d\d UTC\./);

    await signIn(ada, firefox, office);
    expect(await countOf(ada)).toBe(2);
    // Both are known by now, though not together.
    await signIn(ada, safari, '203.0.113.77');
    expect(await countOf(ada)).toBe(2);
    await signIn(ada, firefox, '2001:db8:1::1');
    await signIn(ada, firefox, '2001:db8:1:ff::2');
    expect(await countOf(ada)).toBe(3);
  });

  test('once for ten at the same time', async () => {
    const ada = await person();
    await Promise.all(Array.from({ length: 10 }, () => signIn(ada, safari, office)));
    expect(await countOf(ada)).toBe(1);
  });

  test('not at all for ten first ones at the same time', async () => {
    const grace = { email: someEmail('first') };
    await call(api, 'auth.register', { body: { ...grace, password: somePassword } });
    const body = { token: tokenIn(await nextMail(grace.email)) };
    await call(api, 'auth.verifyEmail', { body });
    await Promise.all(Array.from({ length: 10 }, () => signIn(grace, firefox, home)));
    expect(await countOf(grace)).toBe(0);
  });

  test('and one that fails is neither mailed nor remembered', async () => {
    const ada = await person();
    const body = { email: ada.email, password: 'not the password' };
    expect((await call(api, 'auth.login', { body, ...from(safari, office) })).status).toBe(400);
    expect(await countOf(ada)).toBe(0);
    await signIn(ada, safari, office);
    expect(await countOf(ada)).toBe(1);
  });

  test('however the person signs in', async () => {
    const ada = await person();
    const elsewhere = (n: number) => from(firefox, `198.51.${n}.1`);
    const exchanged = async (
      operation: 'auth.exchange' | 'auth.exchangeWithSecondFactor',
      more = {},
    ) => {
      const page = await new Browser(api).signIn('github', ada.email);
      const code = page.searchParams.get('code');
      const n = operation === 'auth.exchange' ? 1 : 2;
      const first = await call(api, 'auth.exchange', { body: { code }, ...elsewhere(n) });
      if (operation === 'auth.exchange') return first;
      expect([first.status, await countOf(ada)]).toEqual([400, 1]);
      return call(api, operation, { body: { code, ...more }, ...elsewhere(n) });
    };
    expect((await exchanged('auth.exchange')).status).toBe(200);
    expect(await countOf(ada)).toBe(1);

    const { secret } = await enrol(api, ada);
    const secondFactor = nextTotp(secret, api);
    expect((await exchanged('auth.exchangeWithSecondFactor', { secondFactor })).status).toBe(200);
    expect(await countOf(ada)).toBe(2);
    const body = { email: ada.email, password: somePassword, secondFactor: nextTotp(secret, api) };
    expect((await call(api, 'auth.login', { body, ...elsewhere(3) })).status).toBe(200);
    expect(await countOf(ada)).toBe(3);

    const { device } = await addPasskey(api, ada);
    const response = await signedForSignIn(api, device);
    const passkey = { body: { response }, ...elsewhere(4) };
    expect((await call(api, 'auth.loginWithPasskey', passkey)).status).toBe(200);
    expect(await countOf(ada)).toBe(4);
  });

  test('at most ten times in an hour; what was not mailed stays new', async () => {
    const ada = await person();
    for (let n = 1; n <= 12; n += 1) await signIn(ada, firefox, `198.51.${n}.1`);
    expect(await countOf(ada)).toBe(10);
    await signIn(ada, firefox, '198.51.10.2');
    await signIn(ada, firefox, '198.51.12.2');
    expect(await countOf(ada)).toBe(10);
    api.clock.advance({ seconds: 3_601 });
    await signIn(ada, firefox, '198.51.10.3');
    expect(await countOf(ada)).toBe(10);
    await signIn(ada, firefox, '198.51.12.3');
    expect(await countOf(ada)).toBe(11);
  });

  test('also after a clock was set back', async () => {
    const ada = await person();
    for (let n = 1; n <= 11; n += 1) await signIn(ada, firefox, `198.51.${n}.1`);
    expect(await countOf(ada)).toBe(10);
    api.clock.advance({ seconds: -86_400 });
    try {
      await signIn(ada, firefox, '198.51.12.1');
      expect(await countOf(ada)).toBe(11);
      await signIn(ada, firefox, '198.51.12.1');
      expect(await countOf(ada)).toBe(11);
    } finally {
      api.clock.advance({ seconds: 86_400 });
    }
  });

  test('from the same origins again after the password was reset', async () => {
    const ada = await person();
    await call(api, 'auth.requestPasswordReset', { body: { email: ada.email } });
    const token = tokenIn(await nextMail(ada.email, 2));
    const reset = { body: { token, password: somePassword } };
    expect((await call(api, 'auth.resetPassword', reset)).status).toBe(200);
    await signIn(ada, firefox, home);
    expect(await countOf(ada)).toBe(1);
    await signIn(ada, firefox, home);
    expect(await countOf(ada)).toBe(1);
  });

  test('from the same origins again after the password was changed', async () => {
    const ada = await person();
    const body = { currentPassword: somePassword, newPassword: `${somePassword}, changed` };
    const changed = await call(api, 'security.changePassword', { token: ada.token, body });
    expect(changed.status).toBe(200);
    const credentials = { email: ada.email, password: body.newPassword };
    await call(api, 'auth.login', { body: credentials, ...from(firefox, home) });
    expect(await countOf(ada)).toBe(1);
  });

  test.each(['open', 'signed out'])(
    'from the same origins again after an operator ended all sessions, which were %s',
    async (state) => {
      const ada = await person();
      const wasOpen = state === 'open';
      if (!wasOpen) {
        const userId = String((await knownTo(ada))?.userId);
        const endedAt = api.clock.now();
        await api.db.update(sessions).set({ endedAt }).where(eq(sessions.userId, userId));
      }
      const ended = await operate(['end-sessions', ada.email], environment);
      expect(ended.stdout).toContain(wasOpen ? '1 session of' : 'no open session');
      await signIn(ada, firefox, home);
      expect(await countOf(ada)).toBe(1);
    },
  );

  test('from the same origins again after an operator reset the second factor', async () => {
    const ada = await person();
    await enrol(api, ada);
    const reset = await operate(['reset-second-factor', ada.email], environment);
    expect(reset.exitCode).toBe(0);
    await signIn(ada, firefox, home);
    expect(await countOf(ada)).toBe(1);
  });
});

describe('a person who wants a mail at each sign-in', () => {
  const want = ({ token }: Pick<TestUser, 'token'>, mailSignIns: boolean) =>
    call(api, 'profile.update', { token, body: { mailSignIns } });

  test('gets one from known origins too, until they turn it off', async () => {
    const ada = await person();
    expect((await want(ada, true)).body.data.mailSignIns).toBe(true);
    await signIn(ada, firefox, home);
    const [mail] = await notices(ada);
    expect(mail?.subject).toBe(sameSubject);
    expect(mail?.text).toContain('Firefox on Linux');
    await want(ada, false);
    await signIn(ada, firefox, home);
    expect(await countOf(ada)).toBe(1);
    await signIn(ada, safari, home);
    expect((await notices(ada)).map(({ subject }) => subject)).toEqual([sameSubject, newSubject]);
  });

  test('gets at most five an hour, which keep none of the others back', async () => {
    const ada = await person();
    await want(ada, true);
    for (let n = 1; n <= 7; n += 1) await signIn(ada, firefox, home);
    expect(await countOf(ada)).toBe(5);
    for (let n = 1; n <= 5; n += 1) await signIn(ada, firefox, `198.51.${n}.1`);
    expect(await countOf(ada)).toBe(10);
  });

  test('gets one at the first remembered sign-in as well', async () => {
    const ada = await person();
    await want(ada, true);
    await api.db.delete(knownOrigins);
    await signIn(ada, firefox, home);
    expect((await notices(ada)).map(({ subject }) => subject)).toEqual([sameSubject]);
  });
});

describe('what is known', () => {
  test('is hashed, and is the last 20 devices and networks', async () => {
    const ada = await person();
    for (let n = 1; n <= 25; n += 1) {
      if (n % 9 === 0) api.clock.advance({ seconds: 3_601 });
      await signIn(ada, `program${n}/1.0`, `198.51.${n}.1`);
    }
    const known = await knownTo(ada);
    expect([known?.devices.length, known?.networks.length]).toEqual([20, 20]);
    expect(new Set([...(known?.devices ?? []), ...(known?.networks ?? [])]).size).toBe(40);
    expect(JSON.stringify(known)).not.toMatch(/program|firefox|198\.51|192\.0\.2/i);
    const before = await countOf(ada);
    await signIn(ada, 'program25/1.0', '198.51.6.1');
    expect(await countOf(ada)).toBe(before);
    api.clock.advance({ seconds: 3_601 });
    await signIn(ada, firefox, home);
    expect(await countOf(ada)).toBe(before + 1);
  });

  test('differs for each account', async () => {
    const [ada, grace] = [await person(), await person()];
    const [mine, theirs] = [await knownTo(ada), await knownTo(grace)];
    expect(mine?.devices).not.toEqual(theirs?.devices);
    expect(mine?.networks).not.toEqual(theirs?.networks);
  });

  test('is erased with the account, and of that account only', async () => {
    const [ada, grace] = [await person(), await person()];
    const known = await knownTo(ada);
    await api.db.transaction((tx) => eraseReferences(tx, known?.userId ?? newId()));
    expect([await knownTo(ada), (await knownTo(grace))?.devices.length]).toEqual([undefined, 1]);
  });

  test('stays known under a new key, as long as the former one is configured', async () => {
    const ada = await person();
    const signInUnder = async (...secrets: string[]) => {
      const keyed = await startTestApi(
        {
          TRUSTED_PROXIES: '127.0.0.1',
          JWT_SECRET: '',
          JWT_SECRETS: secrets.map((name) => `the ${name} secret of the tests and long`).join(','),
          JOBS: 'separate',
        },
        { clock: api.clock, databaseUrl: api.ownerUrl },
      );
      await signIn(ada, firefox, home, keyed).finally(() => keyed.close());
      return countOf(ada);
    };
    expect(await signInUnder('former')).toBe(1);
    expect(await signInUnder('next', 'former')).toBe(1);
    expect(await signInUnder('next')).toBe(1);
    expect(await signInUnder('last')).toBe(2);
  });
});

describe('without a trusted proxy', () => {
  let exposed: TestApi;
  beforeAll(async () => {
    exposed = await startTestApi();
    return () => exposed.close();
  });

  test('a forwarded address is neither believed nor mailed', async () => {
    const user = await newUser(exposed);
    await signIn(user, 'node', '198.51.100.1', exposed);
    await signIn(user, 'node', '198.51.101.1', exposed);
    expect(await notices(user, exposed)).toEqual([]);
    const rows = await exposed.db.select().from(sessions).where(eq(sessions.userId, user.id));
    expect(rows.map(({ ipAddress }) => ipAddress)).toEqual(Array(3).fill('127.0.0.1'));
    await signIn(user, firefox, '198.51.100.1', exposed);
    const [mail] = await notices(user, exposed);
    expect(mail?.text).toContain('127.0.0.1');
    expect(mail?.text).not.toContain('198.51.100.1');
  });
});

test('a service account never gets one', async () => {
  const id = newId();
  const email = `${id}@service.invalid`;
  const now = api.clock.now();
  const { userId } = (await knownTo(await person())) ?? {};
  await api.db.execute(sql`
    insert into users (id, email, kind, created_by, first_name, account_status, created_at, updated_at)
    values (${id}, ${email}, 'SERVICE', ${userId}, 'Build', 'VERIFIED', ${now.toISOString()}, ${now.toISOString()})`);
  const notice = { userId: id, about: 'NEW_SIGN_IN', at: now.toISOString() } as const;
  await enqueueSecurityNotice(api.db, notice, { userAgent: firefox, ipAddress: office });
  await untilIdle(api);
  expect(await mailsTo(email)).toEqual([]);
});
