import { logIn, mailedToken, newAccount, type Account } from '../accounts.ts';
import type { Check } from '../check.ts';
import { NotRun } from '../findings.ts';
import { totpOf, wrongTotpOf } from '../one-time-codes.ts';
import type { Probe } from '../probe.ts';
import { codeFrom } from './sign-in.ts';

const totp = (code: string) => ({ kind: 'totp', code });
const recovery = (code: string | undefined) => ({ kind: 'recovery', code });

/** Signs in with the password of an account, and a second factor. */
function signIn(probe: Probe, { email, password }: Account, secondFactor?: object) {
  return probe.request('auth.login', {
    body: { email, password, ...(secondFactor && { secondFactor }) },
  });
}

/** Turns on one-time codes. Takes the present code, so that the next one can still be used at once. */
async function enrol(probe: Probe, { token }: Account) {
  const { secret } = await probe.succeed('security.startTotp', { token });
  const body = { code: totpOf(secret, 0) };
  const { recoveryCodes } = await probe.succeed('security.enableTotp', { token, body });
  return { secret, recoveryCodes };
}

const factor: Check = {
  id: 'second-factor.codes',
  group: 'security',
  title: 'one-time codes are asked for after the right password, and work once',
  run: async ({ probe }) => {
    const rule = 'second-factor.codes';
    const account = await newAccount(probe, 'second-factor');
    const { token, password } = account;
    const enable = (code: string) =>
      probe.request('security.enableTotp', { token, body: { code } });
    probe.expectRefusal(rule, await enable('123456'), 'not_found');
    const { secret: unused } = await probe.succeed('security.startTotp', { token });
    probe.expectRefusal(rule, await enable(wrongTotpOf(unused)), 'second_factor_invalid');
    await probe.succeed('auth.login', { body: { email: account.email, password } });
    const before = await logIn(probe, account);
    const { secret, recoveryCodes } = await enrol(probe, account);

    const bare = await signIn(probe, account);
    probe.expectRefusal(rule, bare, 'second_factor_required');
    probe.expect({
      rule,
      response: bare,
      holds: ['totp', 'recovery'].every((kind) => bare.text.includes(`"code":"${kind}"`)),
      expected: 'the kinds totp and recovery in `errors`',
    });
    const stranger = await signIn(
      probe,
      { ...account, password: 'wrong' },
      totp(totpOf(secret, 1)),
    );
    probe.expectFixedRefusal(rule, stranger, 'invalid_credentials');
    const wrong = await signIn(probe, account, totp(wrongTotpOf(secret)));
    probe.expectRefusal(rule, wrong, 'second_factor_invalid');
    const next = totp(totpOf(secret, 1));
    probe.dataIn('auth.login', await signIn(probe, account, next));
    probe.expectRefusal(rule, await signIn(probe, account, next), 'second_factor_invalid');

    const confirm = (secondFactor?: object) =>
      probe.request('auth.confirm', {
        token: before.token,
        body: { password, ...(secondFactor && { secondFactor }) },
      });
    const renew = () => probe.request('security.renewRecoveryCodes', { token: before.token });
    probe.expectRefusal(rule, await renew(), 'confirmation_required');
    probe.expectRefusal(rule, await confirm(), 'second_factor_required');
    probe.dataIn('auth.confirm', await confirm(recovery(recoveryCodes[0])));
    probe.expectRefusal(rule, await confirm(recovery(recoveryCodes[0])), 'second_factor_invalid');
    const renewed = probe.dataIn('security.renewRecoveryCodes', await renew());
    const ended = await signIn(probe, account, recovery(recoveryCodes[1]));
    probe.expectRefusal(rule, ended, 'second_factor_invalid');
    const code = renewed.recoveryCodes[0]?.toLowerCase();
    probe.dataIn('auth.login', await signIn(probe, account, recovery(code)));
    const { recoveryCodesLeft } = await probe.succeed('security.overview', { token });
    probe.expect({
      rule,
      response: await probe.request('security.overview', { token }),
      holds: recoveryCodesLeft === 9,
      expected: '9 recovery codes left',
      actual: String(recoveryCodesLeft),
    });
  },
};

const policy: Check = {
  id: 'second-factor.policy',
  group: 'organizations',
  title: 'a team requires a second factor in 14 days, if its owner has one',
  run: async ({ probe }) => {
    const rule = 'second-factor.policy';
    const account = await newAccount(probe, 'strict');
    const { token, personalOrganizationId } = account;
    const team = await probe.succeed('organizations.create', { token, body: { name: 'Strict' } });
    const decide = (requireSecondFactor: boolean, id = team.id) =>
      probe.request('organizations.updateSecurityPolicy', {
        token,
        params: { id },
        body: { requireSecondFactor },
      });
    probe.expectRefusal(rule, await decide(true), 'second_factor_enrollment_required');
    await enrol(probe, account);
    const own = await decide(true, personalOrganizationId);
    probe.expectRefusal(rule, own, 'personal_organization');
    const decided = await decide(true);
    const changed = probe.dataIn('organizations.updateSecurityPolicy', decided);
    const days = Date.parse(changed.secondFactorRequiredFrom ?? '') - Date.parse(changed.updatedAt);
    probe.expect({
      rule,
      response: decided,
      holds: days === 14 * 24 * 60 * 60 * 1000,
      expected: '14 days from the change',
      actual: String(changed.secondFactorRequiredFrom),
    });
    const params = { id: team.id };
    await probe.succeed('organizations.get', { token, params });
    const ended = await decide(false);
    probe.expect({
      rule,
      response: ended,
      holds:
        probe.dataIn('organizations.updateSecurityPolicy', ended).secondFactorRequiredFrom === null,
      expected: 'no date any more',
    });
  },
};

const endings: Check = {
  id: 'second-factor.end',
  group: 'security',
  title: 'a password reset keeps the second factor, and a change of the password takes it',
  run: async ({ probe }) => {
    const rule = 'second-factor.end';
    const account = await newAccount(probe, 'protected');
    const off = (token: string) => probe.request('security.disableTotp', { token });
    const renewed = await probe.request('security.renewRecoveryCodes', { token: account.token });
    probe.expectRefusal(rule, renewed, 'not_found');
    probe.expectRefusal(rule, await off(account.token), 'not_found');
    const other = await logIn(probe, account);
    const { recoveryCodes } = await enrol(probe, account);

    const change = (currentPassword: string, newPassword: string, secondFactor?: object) =>
      probe.request('security.changePassword', {
        token: account.token,
        body: { currentPassword, newPassword, ...(secondFactor && { secondFactor }) },
      });
    const changed = 'another pass phrase';
    probe.expectRefusal(rule, await change('wrong', changed), 'invalid_credentials');
    const bare = await change(account.password, changed);
    probe.expectRefusal(rule, bare, 'second_factor_required');
    const weak = await change(account.password, 'short');
    probe.expectRefusal(rule, weak, 'validation_failed');
    const done = await change(account.password, changed, recovery(recoveryCodes[0]));
    probe.dataIn('security.changePassword', done);
    await probe.succeed('auth.user', { token: account.token });
    const closed = await probe.request('auth.user', { token: other.token });
    probe.expectRefusal(rule, closed, 'unauthenticated');

    await probe.succeed('auth.requestPasswordReset', { body: { email: account.email } });
    const token = await mailedToken(probe, account.email, 'reset');
    const body = { token, password: account.password };
    await probe.succeed('auth.resetPassword', { body });
    probe.expectRefusal(rule, await signIn(probe, account), 'second_factor_required');
    const again = await signIn(probe, account, recovery(recoveryCodes[1]));
    const session = probe.dataIn('auth.login', again).token.accessToken;
    probe.dataIn('security.disableTotp', await off(session));
    await logIn(probe, account);
  },
};

const ticket: Check = {
  id: 'second-factor.sign-in',
  group: 'security',
  alsoShows: ['auth'],
  title: 'a sign-in through a provider waits for the second factor',
  run: async ({ probe, signIn: provider }) => {
    const rule = 'second-factor.sign-in';
    const present = (code: string, secondFactor: object) =>
      probe.request('auth.exchangeWithSecondFactor', { body: { code, secondFactor } });
    const forged = await present('no-such-code', totp('123456'));
    probe.expectFixedRefusal(rule, forged, 'invalid_or_expired_code');
    if (provider === null) throw new NotRun('a whole sign-in needs --sign-in');
    const account = await newAccount(probe, 'ticket');
    const { secret, recoveryCodes } = await enrol(probe, account);
    const code = await codeFrom(probe, provider, { email: account.email });
    const exchange = () => probe.request('auth.exchange', { body: { code } });
    probe.expectRefusal(rule, await exchange(), 'second_factor_required');
    probe.expectRefusal(rule, await exchange(), 'second_factor_required');
    const wrong = await present(code, totp(wrongTotpOf(secret)));
    probe.expectRefusal(rule, wrong, 'second_factor_invalid');
    const opened = await present(code, recovery(recoveryCodes[0]));
    const { token } = probe.dataIn('auth.exchangeWithSecondFactor', opened);
    await probe.succeed('auth.user', { token: token.accessToken });
    const again = await present(code, recovery(recoveryCodes[1]));
    probe.expectFixedRefusal(rule, again, 'invalid_or_expired_code');
  },
};

export const secondFactorScenarios: readonly Check[] = [factor, policy, endings, ticket];
