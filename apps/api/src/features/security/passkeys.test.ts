import { SoftwareAuthenticator, type PasskeyFlaws } from '@atelier/conformance';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { passkeys, users, webauthnChallenges } from '../../db/generated/schema.ts';
import { cleanUp } from '../../jobs/clean-up/clean-up.ts';
import { accountActivitiesOf } from '../../testing/activities.ts';
import { logIn, mailsTo, newUser, somePassword, type TestUser } from '../../testing/accounts.ts';
import { call, someEmail, type TestResponse } from '../../testing/api.ts';
import { operate } from '../../testing/operator.ts';
import {
  addPasskey,
  appOrigin,
  madePasskey,
  signedForSignIn,
  signedInSession,
  signInWithPasskey,
} from '../../testing/passkeys.ts';
import { enrol } from '../../testing/second-factors.ts';
import { setUpApi } from '../../testing/set-up.ts';

const configured = someEmail('passkey-admin');
const api = await setUpApi({ ADMIN_EMAILS: configured });

let ada: TestUser;
let bob: TestUser;
let adas: SoftwareAuthenticator;
let bobs: SoftwareAuthenticator;

beforeAll(async () => {
  [ada, bob] = await Promise.all([newUser(api), newUser(api)]);
  ({ device: adas } = await addPasskey(api, ada));
  const ed25519 = new SoftwareAuthenticator(appOrigin, 'Ed25519');
  ({ device: bobs } = await addPasskey(api, bob, ed25519));
});

const outcome = ({ status, body }: TestResponse) => [status, body.code];
const refused = [400, 'passkey_invalid'];
const invalid = [400, 'second_factor_invalid'];

const present = (response: unknown) => call(api, 'auth.loginWithPasskey', { body: { response } });

const signIn = ({ email }: Pick<TestUser, 'email'>, secondFactor?: object) =>
  call(api, 'auth.login', {
    body: { email, password: somePassword, ...(secondFactor && { secondFactor }) },
  });

const confirm = ({ token }: Pick<TestUser, 'token'>, passkey: unknown) =>
  call(api, 'auth.confirm', { token, body: { passkey } });

const securityOf = async ({ token }: Pick<TestUser, 'token'>) =>
  (await call(api, 'security.overview', { token })).body.data;

/** Signs in and confirms by that, with whatever the account has. */
async function fresh(device: SoftwareAuthenticator): Promise<{ token: string }> {
  const { body } = await signInWithPasskey(api, device);
  return { token: body.data.token.accessToken };
}

const asFactor = (response: unknown) => ({ kind: 'passkey', response });

describe('a passkey alone', () => {
  test.each([
    ['ES256', () => [ada, adas] as const],
    ['Ed25519', () => [bob, bobs] as const],
  ])('signs in and confirms with %s', async (_, of) => {
    const [user, device] = of();
    const { status, body } = await signInWithPasskey(api, device);
    expect([status, body.data.user]).toEqual([200, { id: user.id, email: user.email }]);
    const session = { token: body.data.token.accessToken };
    const own = await securityOf(session);
    expect(own).toMatchObject({ recoveryCodesLeft: 10, confirmedUntil: expect.any(String) });
    const [passkey] = own.passkeys;
    expect(passkey).toMatchObject({ name: 'Telephone', isBackedUp: true });
    expect(passkey.lastUsedAt).toMatch(/Z$/);
    expect((await confirm(session, await signedInSession(api, session, device))).status).toBe(200);
  });

  test('is asked for without a word about accounts', async () => {
    const { status, body } = await call(api, 'auth.passkeyChallenge');
    expect([status, body.data]).toEqual([
      200,
      {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        timeout: 300_000,
        rpId: 'app.example.com',
        allowCredentials: [],
        userVerification: 'required',
      },
    ]);
    const own = await call(api, 'security.passkeyChallenge', { token: ada.token });
    expect(own.body.data.allowCredentials).toHaveLength(1);
  });

  const flawed: Readonly<Record<string, PasskeyFlaws>> = {
    'of another origin': { origin: 'https://app.example.com.evil.test' },
    'of another scheme': { origin: 'http://app.example.com' },
    'of another site': { rpId: 'evil.test' },
    'without user verification': { isUserVerified: false },
    'in a frame of another site': { crossOrigin: true },
    'of a registration': { type: 'webauthn.create' },
    'to a challenge that nobody made': { challenge: 'x'.repeat(43) },
    'of another account': { userHandle: 'AZqk8Fwees2dL28fDHqeQg' },
    'that says no account': { userHandle: null },
  };
  test.each(Object.entries(flawed))('is refused with a response %s', async (_, flaws) => {
    expect(outcome(await signInWithPasskey(api, adas, flaws))).toEqual(refused);
    expect((await signInWithPasskey(api, adas)).status).toBe(200);
  });

  test('is refused a second time, also of twenty at once', async () => {
    const response = await signedForSignIn(api, adas);
    const responses = await Promise.all(Array.from({ length: 20 }, () => present(response)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const one of responses) if (one.status !== 200) expect(outcome(one)).toEqual(refused);
    expect(outcome(await present(response))).toEqual(refused);
    const recorded = await accountActivitiesOf(api, ada.id);
    const logins = recorded.filter(({ action }) => action === 'user.login');
    expect(logins.length).toBe(new Set(logins.map(({ requestId }) => requestId)).size);
  });

  test('is refused after five minutes, and its challenge is cleaned up', async () => {
    const response = await signedForSignIn(api, adas);
    await signedForSignIn(api, adas);
    api.clock.advance({ seconds: 300 });
    expect(outcome(await present(response))).toEqual(refused);
    expect(await api.db.$count(webauthnChallenges)).toBeGreaterThan(0);
    await cleanUp(api.deps);
    expect(await api.db.$count(webauthnChallenges)).toBe(0);
  });

  test('is refused with whatever else is in its response', async () => {
    const good = async () => (await signedForSignIn(api, adas)).response;
    const { signature, authenticatorData, clientDataJSON } = await good();
    const encoded = (text: string) => Buffer.from(text).toString('base64url');
    const broken = [
      { ...(await good()), signature },
      { ...(await good()), signature: 'AA' },
      { ...(await good()), authenticatorData },
      { ...(await good()), authenticatorData: 'AA' },
      { ...(await good()), authenticatorData: `${(await good()).authenticatorData}AAAA` },
      { ...(await good()), clientDataJSON: `${clientDataJSON}AA` },
      ...['', '{', 'null', '[]', '7', '{}', '{"challenge":7}', '\u0000'].map((text) => ({
        signature,
        authenticatorData,
        clientDataJSON: encoded(text) || 'A',
      })),
    ];
    const { id } = await signedForSignIn(api, adas);
    for (const response of broken) {
      expect(outcome(await present({ id, type: 'public-key', response }))).toEqual(refused);
    }
    const response = await good();
    expect(outcome(await present({ id: 'AAAA', type: 'public-key', response }))).toEqual(refused);
    const { id: foreign } = await signedForSignIn(api, bobs);
    const other = { id: foreign, type: 'public-key', response: await good() };
    expect(outcome(await present(other))).toEqual(refused);
  });

  test('is refused with a challenge for another purpose', async () => {
    const session = await fresh(adas);
    const proof = await signedInSession(api, session, adas);
    expect(outcome(await present(proof))).toEqual(refused);
    // It is used up by that.
    expect(outcome(await confirm(session, proof))).toEqual(refused);
    const { body } = await call(api, 'security.startPasskey', { token: session.token });
    const { challenge } = body.data;
    const stray = { challenge, rpId: 'app.example.com' };
    const registration = await signedForSignIn(api, adas, stray);
    expect(outcome(await present(registration))).toEqual(refused);
    expect(outcome(await confirm(session, await signedForSignIn(api, adas)))).toEqual(refused);
    const another = await fresh(adas);
    const elsewhere = await signedInSession(api, another, adas);
    expect(outcome(await confirm(session, elsewhere))).toEqual(refused);
  });

  test('is refused and mailed when its counter has not risen', async () => {
    const user = await newUser(api);
    const { device } = await addPasskey(api, user);
    expect((await signInWithPasskey(api, device, { counter: 7 })).status).toBe(200);
    expect(outcome(await signInWithPasskey(api, device, { counter: 6 }))).toEqual(refused);
    expect(outcome(await signInWithPasskey(api, device, { counter: 7 }))).toEqual(refused);
    expect(outcome(await signInWithPasskey(api, device, { counter: 0 }))).toEqual(refused);
    const warnings = async () =>
      (await mailsTo(user.email)).filter(({ subject }) => subject.includes('copied')).length;
    await expect.poll(warnings).toBe(3);
    expect((await signInWithPasskey(api, device, { counter: 8 })).status).toBe(200);
    // Nothing of it is to be believed without the signature.
    const forged = await signedForSignIn(api, device, { counter: 1 });
    const { response } = await signedForSignIn(api, device);
    const { authenticatorData } = forged.response;
    expect(
      outcome(await present({ ...forged, response: { ...response, authenticatorData } })),
    ).toEqual(refused);
    expect(await warnings()).toBe(3);
  });

  test('that does not count its uses stays at 0', async () => {
    const user = await newUser(api);
    const { device } = await addPasskey(api, user);
    for (let round = 0; round < 2; round += 1) {
      expect((await signInWithPasskey(api, device, { counter: 0 })).status).toBe(200);
    }
  });

  test('opens no account that is suspended or waits for its deletion', async () => {
    const user = await newUser(api);
    const { device } = await addPasskey(api, user);
    const env = { DATABASE_URL: api.config.DATABASE_URL };
    await operate(['suspend', user.email], env);
    expect(outcome(await signInWithPasskey(api, device))).toEqual([400, 'account_suspended']);
    await operate(['reinstate', user.email], env);
    const { token } = await fresh(device);
    const body = { confirmation: user.email };
    expect((await call(api, 'account.requestDeletion', { token, body })).status).toBe(200);
    expect(outcome(await signInWithPasskey(api, device))).toEqual([
      400,
      'account_deletion_pending',
    ]);
  });

  test('makes nobody an administrator: it proves no mailbox', async () => {
    const body = { email: configured, password: somePassword };
    await call(api, 'auth.register', { body });
    const [mail] = await expect
      .poll(() => mailsTo(configured))
      .toHaveLength(1)
      .then(() => mailsTo(configured));
    const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
    await call(api, 'auth.verifyEmail', { body: { token } });
    const { device } = await addPasskey(api, await logIn(api, body));
    expect((await signInWithPasskey(api, device)).status).toBe(200);
    const [account] = await api.db.select().from(users).where(eq(users.email, configured));
    expect(account?.platformRole).toBe('USER');
  });
});

describe('a passkey as second factor', () => {
  test('is asked for after the password, and taken once', async () => {
    const bare = await signIn(ada);
    expect([outcome(bare), bare.body.errors.map(({ code }: { code: string }) => code)]).toEqual([
      [400, 'second_factor_required'],
      ['passkey', 'recovery'],
    ]);
    const factor = asFactor(await signedForSignIn(api, adas));
    const responses = await Promise.all(Array.from({ length: 5 }, () => signIn(ada, factor)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const one of responses) if (one.status !== 200) expect(outcome(one)).toEqual(invalid);
  });

  test('is refused from another account, purpose or session', async () => {
    const ofBob = asFactor(await signedForSignIn(api, bobs));
    expect(outcome(await signIn(ada, ofBob))).toEqual(invalid);
    const [session, other] = [await fresh(adas), await fresh(adas)];
    const ofSession = asFactor(await signedInSession(api, session, adas));
    expect(outcome(await signIn(ada, ofSession))).toEqual(invalid);
    const change = (at: { token: string }, secondFactor: object) =>
      call(api, 'security.changePassword', {
        token: at.token,
        body: { currentPassword: somePassword, newPassword: `${somePassword}!`, secondFactor },
      });
    const elsewhere = asFactor(await signedInSession(api, other, adas));
    expect(outcome(await change(session, elsewhere))).toEqual(invalid);
    const bobInAdas = asFactor(await signedInSession(api, session, bobs));
    expect(outcome(await change(session, bobInAdas))).toEqual(invalid);
    const own = await signedInSession(api, session, bobs);
    expect(outcome(await confirm(session, own))).toEqual(refused);
    const unverified = await signedForSignIn(api, adas, { isUserVerified: false });
    expect(outcome(await signIn(ada, asFactor(unverified)))).toEqual(invalid);
  });

  test('confirms no account that has none', async () => {
    const user = await newUser(api);
    expect(outcome(await confirm(user, await signedInSession(api, user, bobs)))).toEqual(refused);
    const both = { password: somePassword, passkey: await signedInSession(api, user, bobs) };
    for (const body of [{}, both]) {
      const { status, body: refusal } = await call(api, 'auth.confirm', {
        token: user.token,
        body,
      });
      expect([status, refusal.code]).toEqual([400, 'validation_failed']);
    }
  });
});

describe('adding and removing', () => {
  test('gives recovery codes with the first, and takes them with the last factor', async () => {
    const user = await newUser(api);
    const before = await logIn(api, user);
    const { device, passkey } = await addPasskey(api, user);
    expect(passkey.recoveryCodes).toHaveLength(10);
    // Sessions that were confirmed without it confirm anew.
    expect(await securityOf(before)).toMatchObject({ confirmedUntil: null });
    const second = await addPasskey(api, user);
    expect(second.passkey.recoveryCodes).toBeNull();
    const recovery = { kind: 'recovery', code: passkey.recoveryCodes[0] };
    expect((await signIn(user, recovery)).status).toBe(200);
    const { token } = await fresh(device);
    expect((await call(api, 'security.renewRecoveryCodes', { token })).status).toBe(201);

    await enrol(api, { token });
    const kinds = async () =>
      (await signIn(user)).body.errors?.map(({ code }: { code: string }) => code);
    expect(await kinds()).toEqual(['passkey', 'totp', 'recovery']);
    expect((await call(api, 'security.disableTotp', { token })).status).toBe(200);
    expect(await kinds()).toEqual(['passkey', 'recovery']);
    const remove = (id: string) => call(api, 'security.removePasskey', { token, params: { id } });
    expect((await remove(passkey.id)).body.data).toEqual({ id: passkey.id });
    expect(outcome(await signInWithPasskey(api, device))).toEqual(refused);
    expect((await securityOf({ token })).recoveryCodesLeft).toBe(10);
    expect((await remove(second.passkey.id)).status).toBe(200);
    expect(outcome(await remove(second.passkey.id))).toEqual([404, 'not_found']);
    expect(await securityOf({ token })).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
    expect((await signIn(user)).status).toBe(200);
    await expect
      .poll(async () => (await mailsTo(user.email)).map(({ subject }) => subject).toSorted())
      .toEqual([
        'A passkey was added',
        'A passkey was added',
        'A passkey was removed',
        'A passkey was removed',
        'A recovery code was used',
        'One-time codes were turned off',
        'One-time codes were turned on',
        'Please verify your email',
        'Your recovery codes were replaced',
      ]);
    const mail = (await mailsTo(user.email)).find(({ subject }) => subject.includes('added'));
    expect(mail?.text).toContain('It came from node at the address 127.0.0.1.');
  });

  test('is for the own passkeys only', async () => {
    const { token } = await fresh(bobs);
    const [passkey] = (await securityOf(await fresh(adas))).passkeys;
    const params = { id: passkey.id };
    const body = { name: 'Mine now' };
    const renamed = await call(api, 'security.renamePasskey', { token, params, body });
    expect(outcome(renamed)).toEqual([404, 'not_found']);
    const removed = await call(api, 'security.removePasskey', { token, params });
    expect(outcome(removed)).toEqual([404, 'not_found']);
    const own = await fresh(adas);
    const changed = await call(api, 'security.renamePasskey', { ...own, params, body });
    expect(changed.body.data).toMatchObject({ id: passkey.id, name: 'Mine now' });
    const back = { name: 'Telephone' };
    await call(api, 'security.renamePasskey', { ...own, params, body: back });
  });

  const flawed: Readonly<Record<string, PasskeyFlaws>> = {
    'of another origin': { origin: 'https://evil.test' },
    'of another site': { rpId: 'evil.test' },
    'without user verification': { isUserVerified: false },
    'in a frame of another site': { crossOrigin: true },
    'of a sign-in': { type: 'webauthn.get' },
    'to a challenge that nobody made': { challenge: 'x'.repeat(43) },
    // {"x5c": []}
    'with certificates': {
      attestation: { format: 'packed', statement: Buffer.from('a16378356380', 'hex') },
    },
    'with an unknown attestation': {
      attestation: { format: 'apple', statement: Buffer.from('a0', 'hex') },
    },
  };
  test.each(Object.entries(flawed))('refuses a registration %s', async (_, flaws) => {
    const session = await fresh(adas);
    const device = new SoftwareAuthenticator(appOrigin);
    const body = { name: 'X', response: await madePasskey(api, session, device, flaws) };
    expect(outcome(await call(api, 'security.addPasskey', { ...session, body }))).toEqual(refused);
  });

  test('takes a registration once, in its own session, with its own challenge', async () => {
    const [session, other] = [await fresh(adas), await fresh(adas)];
    const device = new SoftwareAuthenticator(appOrigin);
    const add = (at: { token: string }, response: unknown) =>
      call(api, 'security.addPasskey', { ...at, body: { name: 'X', response } });
    expect(outcome(await add(other, await madePasskey(api, session, device)))).toEqual(refused);
    const { body } = await call(api, 'security.passkeyChallenge', session);
    const { challenge } = body.data;
    const stray = await madePasskey(api, session, device, { challenge });
    expect(outcome(await add(session, stray))).toEqual(refused);
    const late = await madePasskey(api, session, device);
    const garbled = { ...late, response: { ...late.response, attestationObject: 'o2NmbXQ' } };
    expect(outcome(await add(session, garbled))).toEqual(refused);
    expect(outcome(await add(session, late))).toEqual(refused);

    const response = await madePasskey(api, session, device);
    const responses = await Promise.all(Array.from({ length: 20 }, () => add(session, response)));
    const added = responses.filter(({ status }) => status === 201);
    expect(added).toHaveLength(1);
    expect(responses.filter(({ body: { code } }) => code === 'passkey_invalid')).toHaveLength(19);
    const params = { id: added[0]?.body.data.id };
    await call(api, 'security.removePasskey', { ...session, params });
  });

  test('refuses the passkey of another account', async () => {
    const session = await fresh(adas);
    const device = new SoftwareAuthenticator(appOrigin);
    const body = { name: 'X', response: await madePasskey(api, session, device) };
    const { id: credentialId } = body.response;
    const bytes = Buffer.from(credentialId, 'base64url');
    await api.db.update(passkeys).set({ credentialId: bytes }).where(eq(passkeys.userId, bob.id));
    expect(outcome(await call(api, 'security.addPasskey', { ...session, body }))).toEqual(refused);
  });

  test('needs a confirmation, and stops at ten', async () => {
    const user = await newUser(api);
    const device = new SoftwareAuthenticator(appOrigin);
    const spare = await madePasskey(api, user, device);
    for (let index = 0; index < 10; index += 1) await addPasskey(api, user, device);
    const { token } = user;
    const started = await call(api, 'security.startPasskey', { token });
    expect(outcome(started)).toEqual([409, 'too_many_passkeys']);
    const body = { name: 'X', response: spare };
    const eleventh = await call(api, 'security.addPasskey', { token, body });
    expect(outcome(eleventh)).toEqual([409, 'too_many_passkeys']);
    api.clock.advance({ seconds: 601 });
    const [{ id }] = (await securityOf(user)).passkeys;
    for (const attempt of [
      call(api, 'security.startPasskey', { token }),
      call(api, 'security.addPasskey', { token, body }),
      call(api, 'security.removePasskey', { token, params: { id } }),
    ]) {
      expect(outcome(await attempt)).toEqual([403, 'confirmation_required']);
    }
  });

  test('an operator removes them all', async () => {
    const user = await newUser(api);
    const { device } = await addPasskey(api, user);
    const env = { DATABASE_URL: api.config.DATABASE_URL };
    expect((await operate(['reset-second-factor', user.email], env)).exitCode).toBe(0);
    expect(outcome(await signInWithPasskey(api, device))).toEqual(refused);
    expect(await api.db.$count(passkeys, eq(passkeys.userId, user.id))).toBe(0);
    expect((await signIn(user)).status).toBe(200);
  });
});
