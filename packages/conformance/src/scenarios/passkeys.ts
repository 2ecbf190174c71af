import { appOrigin, logIn, newAccount, type Account } from '../accounts.ts';
import type { Check } from '../check.ts';
import type { Probe } from '../probe.ts';
import { SoftwareAuthenticator, type PasskeyFlaws } from '../software-authenticator.ts';

/** Adds a passkey in a session that was just confirmed. */
async function enrol(probe: Probe, { email, token }: Account) {
  const device = new SoftwareAuthenticator(await appOrigin(probe, email));
  const options = await probe.succeed('security.startPasskey', { token });
  const body = { name: 'Kit', response: device.create(options) };
  const passkey = await probe.succeed('security.addPasskey', { token, body });
  return { device, passkey, body };
}

async function signed(probe: Probe, device: SoftwareAuthenticator, flaws?: PasskeyFlaws) {
  return device.get(await probe.succeed('auth.passkeyChallenge'), flaws);
}

async function signedInSession(probe: Probe, token: string, device: SoftwareAuthenticator) {
  return device.get(await probe.succeed('security.passkeyChallenge', { token }));
}

const present = (probe: Probe, response: object) =>
  probe.request('auth.loginWithPasskey', { body: { response } });

const alone: Check = {
  id: 'passkeys.sign-in',
  group: 'security',
  alsoShows: ['auth'],
  title: 'a passkey signs in and confirms alone, once for each challenge of that purpose',
  run: async ({ probe }) => {
    const rule = 'passkeys.sign-in';
    const account = await newAccount(probe, 'passkey');
    const { token } = account;
    const { device, passkey, body } = await enrol(probe, account);
    const again = await probe.request('security.addPasskey', { token, body });
    probe.expectRefusal(rule, again, 'passkey_invalid');
    probe.expect({
      rule,
      response: again,
      holds: passkey.recoveryCodes?.length === 10,
      expected: 'ten recovery codes with the first factor',
    });

    const response = await signed(probe, device);
    const opened = probe.dataIn('auth.loginWithPasskey', await present(probe, response));
    await probe.succeed('auth.user', { token: opened.token.accessToken });
    probe.expectRefusal(rule, await present(probe, response), 'passkey_invalid');
    const flaws: PasskeyFlaws[] = [
      { isUserVerified: false },
      { origin: 'https://elsewhere.example.com' },
      { challenge: 'x'.repeat(43) },
      { userHandle: null },
    ];
    for (const flaw of flaws) {
      const refused = await present(probe, await signed(probe, device, flaw));
      probe.expectRefusal(rule, refused, 'passkey_invalid');
    }
    const session = opened.token.accessToken;
    const proof = await signedInSession(probe, session, device);
    probe.expectRefusal(rule, await present(probe, proof), 'passkey_invalid');

    const confirm = (presented: object) =>
      probe.request('auth.confirm', { token, body: { passkey: presented } });
    const elsewhere = await signedInSession(probe, session, device);
    probe.expectRefusal(rule, await confirm(elsewhere), 'passkey_invalid');
    probe.dataIn('auth.confirm', await confirm(await signedInSession(probe, token, device)));
  },
};

const signatures: Check = {
  id: 'passkeys.signatures',
  group: 'security',
  title: 'a passkey whose signature, site or counter is wrong is refused',
  run: async ({ probe }) => {
    const rule = 'passkeys.signatures';
    const { device } = await enrol(probe, await newAccount(probe, 'signature'));
    const elsewhere = await signed(probe, device, { rpId: 'elsewhere.example.com' });
    probe.expectRefusal(rule, await present(probe, elsewhere), 'passkey_invalid');
    const [one, other] = [await signed(probe, device), await signed(probe, device)];
    const { signature } = one.response;
    const forged = { ...other, response: { ...other.response, signature } };
    probe.expectRefusal(rule, await present(probe, forged), 'passkey_invalid');
    const used = await signed(probe, device, { counter: 9 });
    probe.dataIn('auth.loginWithPasskey', await present(probe, used));
    const copied = await signed(probe, device, { counter: 8 });
    probe.expectRefusal(rule, await present(probe, copied), 'passkey_invalid');
  },
};

const factor: Check = {
  id: 'passkeys.second-factor',
  group: 'security',
  alsoShows: ['auth'],
  title: 'a passkey is a second factor beside the password until it is removed',
  run: async ({ probe }) => {
    const rule = 'passkeys.second-factor';
    const account = await newAccount(probe, 'passkey-factor');
    const { email, password, token } = account;
    const { device, passkey } = await enrol(probe, account);
    const signIn = (secondFactor?: object) =>
      probe.request('auth.login', {
        body: { email, password, ...(secondFactor && { secondFactor }) },
      });
    const bare = await signIn();
    probe.expectRefusal(rule, bare, 'second_factor_required');
    probe.expect({
      rule,
      response: bare,
      holds: ['passkey', 'recovery'].every((kind) => bare.text.includes(`"code":"${kind}"`)),
      expected: 'the kinds passkey and recovery in `errors`',
    });
    const presented = { kind: 'passkey', response: await signed(probe, device) };
    probe.dataIn('auth.login', await signIn(presented));
    probe.expectRefusal(rule, await signIn(presented), 'second_factor_invalid');

    const params = { id: passkey.id };
    const renamed = await probe.succeed('security.renamePasskey', {
      token,
      params,
      body: { name: 'Renamed' },
    });
    const { passkeys } = await probe.succeed('security.overview', { token });
    probe.expect({
      rule,
      response: bare,
      holds: renamed.name === 'Renamed' && passkeys[0]?.name === 'Renamed',
      expected: 'the new name in the list',
    });
    const other = await newAccount(probe, 'passkey-other');
    const stolen = await probe.request('security.removePasskey', { token: other.token, params });
    probe.expectRefusal(rule, stolen, 'not_found');
    await probe.succeed('security.removePasskey', { token, params });
    const gone = await probe.request('security.renamePasskey', {
      token,
      params,
      body: { name: 'Gone' },
    });
    probe.expectRefusal(rule, gone, 'not_found');
    await logIn(probe, account);
  },
};

export const passkeyScenarios: readonly Check[] = [alone, signatures, factor];
