import { SoftwareAuthenticator } from '@atelier/conformance';
import { newUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { Browser } from '../../testing/browser.ts';
import type { FeatureFixtures, Story } from '../../testing/feature-fixtures.ts';
import { noInput } from '../../testing/fixture-parts.ts';
import {
  appOrigin,
  madePasskey,
  signedForSignIn,
  signedInSession,
} from '../../testing/passkeys.ts';
import { codeOf, nextTotp, secretIn } from '../../testing/second-factors.ts';

export const securityFixtures: FeatureFixtures<'security'> = {
  inputs: {
    overview: noInput,
    startTotp: noInput,
    // They take a code, or what another one of them leaves; the story makes them.
    enableTotp: () => [],
    disableTotp: () => [],
    renewRecoveryCodes: () => [],
    removeIdentity: () => [],
    changePassword: () => [],
    passkeyChallenge: noInput,
    startPasskey: noInput,
    // It takes what a device has made.
    addPasskey: () => [],
    renamePasskey: (team) => [{ params: { id: team.passkeyId }, body: { name: 'Renamed' } }],
    removePasskey: (team) => [{ params: { id: team.passkeyId } }],
  },
  endings: ['removePasskey'],
  stories: {
    'a second factor from its beginning to its end': lifeOfASecondFactor,
    'a passkey from its beginning to its end': lifeOfAPasskey,
    'a provider that is disconnected': disconnectedProvider,
  },
};

async function lifeOfASecondFactor({ api, walk }: Story): Promise<void> {
  const grace = await newUser(api, 'grace');
  const { email, password } = grace;
  const own = { actorId: grace.id, resourceId: grace.id };
  await walk('security.startTotp', {
    as: grace,
    recorded: null,
    repeatsBecause: 'each secret replaces the one before',
  });
  const { secret, codes } = await enable({ api, walk }, grace, own);
  await walk('auth.login', {
    input: { body: { email, password, secondFactor: nextTotp(secret, api) } },
    recorded: { ...own, action: 'user.login' },
    refused: [
      { body: { email, password } },
      { body: { email, password, secondFactor: { kind: 'recovery', code: 'wrong' } } },
    ],
  });
  await walk('auth.login', {
    input: { body: { email, password, secondFactor: { kind: 'recovery', code: codes[0] } } },
    recorded: { ...own, action: 'user.login', beside: 'user.use_recovery_code' },
  });
  await walk('auth.confirm', {
    as: grace,
    input: { body: { password, secondFactor: { kind: 'recovery', code: codes[1] } } },
    recorded: { ...own, action: 'user.confirm', beside: 'user.use_recovery_code' },
  });
  await providerSignIn({ api, walk }, { email, own, code: String(codes[2]) });
  await walk('security.renewRecoveryCodes', {
    as: grace,
    recorded: { ...own, action: 'user.renew_recovery_codes' },
    repeatsBecause: 'each time makes other codes',
  });
  const newPassword = `${password}, changed`;
  await walk('security.changePassword', {
    as: grace,
    input: {
      body: { currentPassword: password, newPassword, secondFactor: nextTotp(secret, api) },
    },
    recorded: { ...own, action: 'user.change_password' },
    refused: [
      { body: { currentPassword: password, newPassword } },
      { body: { currentPassword: newPassword, newPassword } },
      { body: { currentPassword: password, newPassword: 'password' } },
    ],
  });
  await walk('security.disableTotp', {
    as: grace,
    recorded: { ...own, action: 'user.disable_totp' },
  });
}

async function lifeOfAPasskey({ api, walk }: Story): Promise<void> {
  const grace = await newUser(api, 'grace');
  const { email, password, token } = grace;
  const own = { actorId: grace.id, resourceId: grace.id };
  const device = new SoftwareAuthenticator(appOrigin);
  await walk('security.startPasskey', {
    as: grace,
    recorded: null,
    repeatsBecause: 'each time makes another challenge',
  });
  const response = await madePasskey(api, grace, device);
  const { body } = await walk('security.addPasskey', {
    as: grace,
    input: { body: { name: 'Telephone', response } },
    recorded: { ...own, action: 'user.add_passkey' },
  });
  const params = { id: body.data.id };
  await walk('security.renamePasskey', {
    as: grace,
    input: { params, body: { name: 'Old telephone' } },
    recorded: null,
  });
  await walk('auth.passkeyChallenge', { recorded: null });
  await walk('security.passkeyChallenge', { as: grace, recorded: null });
  await walk('auth.loginWithPasskey', {
    input: { body: { response: await signedForSignIn(api, device) } },
    recorded: { ...own, action: 'user.login' },
  });
  await walk('auth.confirm', {
    as: grace,
    input: { body: { passkey: await signedInSession(api, { token }, device) } },
    recorded: { ...own, action: 'user.confirm' },
  });
  const factor = { kind: 'passkey', response: await signedForSignIn(api, device) };
  await walk('auth.login', {
    input: { body: { email, password, secondFactor: factor } },
    recorded: { ...own, action: 'user.login' },
  });
  await walk('security.removePasskey', {
    as: grace,
    input: { params },
    recorded: { ...own, action: 'user.remove_passkey' },
  });
}

async function enable(
  { api, walk }: Pick<Story, 'api' | 'walk'>,
  grace: Awaited<ReturnType<typeof newUser>>,
  own: { actorId: string; resourceId: string },
) {
  const started = await call(api, 'security.startTotp', { token: grace.token });
  const secret = secretIn(started.body.data.secret);
  const { body } = await walk('security.enableTotp', {
    as: grace,
    input: { body: { code: codeOf(secret, api) } },
    recorded: { ...own, action: 'user.enable_totp' },
    refused: [{ body: { code: 'wrong' } }],
  });
  return { secret, codes: body.data.recoveryCodes as string[] };
}

async function providerSignIn(
  { api, walk }: Pick<Story, 'api' | 'walk'>,
  {
    email,
    own,
    code,
  }: { email: string; own: { actorId: string; resourceId: string }; code: string },
) {
  const page = await new Browser(api).signIn('github', email);
  const ticket = page.searchParams.get('code');
  const exchanged = await call(api, 'auth.exchange', { body: { code: ticket } });
  if (exchanged.status !== 400) throw new Error(`signed in without the factor: ${exchanged.text}`);
  await walk('auth.exchangeWithSecondFactor', {
    input: { body: { code: ticket, secondFactor: { kind: 'recovery', code } } },
    recorded: { ...own, action: 'user.login', beside: 'user.use_recovery_code' },
  });
}

async function disconnectedProvider({ api, walk }: Story): Promise<void> {
  const linked = await newUser(api, 'linked');
  await new Browser(api).signIn('google', linked.email);
  await walk('security.removeIdentity', {
    as: linked,
    input: { params: { provider: 'google' } },
    recorded: { actorId: linked.id, resourceId: linked.id, action: 'user.unlink_identity' },
    refused: [{ params: { provider: 'github' } }],
  });
}
