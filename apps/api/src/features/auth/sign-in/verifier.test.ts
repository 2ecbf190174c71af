import { createHash, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { exchangeCodes, sessions, users } from '../../../db/generated/schema.ts';
import { call, someEmail } from '../../../testing/api.ts';
import { Browser } from '../../../testing/browser.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const api = await setUpApi();

const newVerifier = () => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
const exchange = (body: { code: string; verifier?: string }) =>
  call(api, 'auth.exchange', { body });

/** A code of a sign-in that began with the challenge of a verifier, or without one. */
async function newCode(verifier: string | null, email = someEmail()): Promise<string> {
  const challenge = verifier === null ? undefined : challengeOf(verifier);
  const page = await new Browser(api).signIn('github', email, challenge);
  return page.searchParams.get('code') ?? '';
}

const refused = [401, 'Invalid or expired code', 'invalid_or_expired_code'];

describe.each(['google', 'github'] as const)(
  'a sign-in through %s that began with a challenge',
  (provider) => {
    test('opens a session for its verifier, and sends the browser the same redirects as ever', async () => {
      const verifier = newVerifier();
      const email = someEmail();
      const browser = new Browser(api);
      const page = await browser.signIn(provider, email, challengeOf(verifier));
      expect(page.href).toMatch(
        /^https:\/\/app\.example\.com\/loading\?code=[\w-]{43}&is_new=true$/,
      );
      const code = page.searchParams.get('code') ?? '';
      const { status, body } = await exchange({ code, verifier });
      expect([status, body.data.user.email]).toEqual([200, email]);
      expect((await exchange({ code, verifier })).status).toBe(401);
    });
  },
);

describe('a code with a challenge', () => {
  test('is refused without its verifier or with another one, and stays valid for its client', async () => {
    const verifier = newVerifier();
    const email = someEmail();
    const code = await newCode(verifier, email);
    const wrong = [
      undefined,
      newVerifier(),
      challengeOf(verifier),
      verifier.slice(0, -1) + (verifier.endsWith('A') ? 'E' : 'A'),
      `${verifier}A`,
      verifier.toUpperCase(),
    ];
    for (const tried of wrong) {
      const { status, body } = await exchange({
        code,
        ...(tried !== undefined && { verifier: tried }),
      });
      expect([status, body.message, body.code, body.data]).toEqual([...refused, undefined]);
    }
    const [user] = await api.db.select().from(users).where(eq(users.email, email));
    expect(await api.db.$count(sessions, eq(sessions.userId, String(user?.id)))).toBe(0);
    expect((await exchange({ code, verifier })).status).toBe(200);
  });

  test('in 40 parallel exchanges, half of them with another verifier, opens one session', async () => {
    const verifier = newVerifier();
    const email = someEmail();
    const code = await newCode(verifier, email);
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        exchange({ code, verifier: index % 2 === 0 ? verifier : newVerifier() }),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(39);
    const [user] = await api.db.select().from(users).where(eq(users.email, email));
    expect(await api.db.$count(sessions, eq(sessions.userId, String(user?.id)))).toBe(1);
  });

  test('expires after 60 seconds, also for its verifier', async () => {
    const verifier = newVerifier();
    const code = await newCode(verifier);
    api.clock.advance({ seconds: 60 });
    expect((await exchange({ code, verifier })).status).toBe(401);
  });

  test('is stored with the digest of the verifier only', async () => {
    const verifier = newVerifier();
    await newCode(verifier);
    const stored = await api.db.select().from(exchangeCodes);
    expect(JSON.stringify(stored)).not.toContain(verifier);
    expect(
      stored.some(({ challenge }) => challenge?.toString('base64url') === challengeOf(verifier)),
    ).toBe(true);
  });
});

test("a code without a challenge accepts no verifier, so that codes can't be injected into another sign-in", async () => {
  const code = await newCode(null);
  const { status, body } = await exchange({ code, verifier: newVerifier() });
  expect([status, body.message, body.code]).toEqual(refused);
  expect((await exchange({ code })).status).toBe(200);
});

test('a code of another sign-in is refused, even for a client with a verifier of its own', async () => {
  const [mine, theirs] = [newVerifier(), newVerifier()];
  const code = await newCode(theirs);
  expect((await exchange({ code, verifier: mine })).status).toBe(401);
});

test.each([
  ['empty', ''],
  ['too short', 'x'.repeat(42)],
  ['too long', 'x'.repeat(44)],
  ['no base64url', `${'x'.repeat(42)}+`],
  ['not canonical', `${'x'.repeat(42)}B`],
])('a sign-in does not begin with a challenge that is %s', async (_, challenge) => {
  const { status, body } = await call(api, 'auth.startGithub', { query: { challenge } });
  expect([status, body.code, body.errors[0].path]).toEqual([
    400,
    'validation_failed',
    ['challenge'],
  ]);
});

test.each([
  ['too short to be secret', 'x'.repeat(42)],
  ['too long', 'x'.repeat(129)],
  ['a number', 5],
  ['nothing', null],
])('a verifier that is %s is not valid', async (_, verifier) => {
  const response = await call(api, 'auth.exchange', { body: { code: 'some-code', verifier } });
  expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
});
