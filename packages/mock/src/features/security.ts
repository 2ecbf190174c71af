import { secondFactorKinds, type SecondFactorKind } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { base32Of, codeOf, stepAt } from '../one-time-codes.ts';
import { hasSecondFactor } from '../state/access.ts';
import { bodyOf, callerOf, recordAt } from '../state/call.ts';
import type { Call, Feature, State } from '../state/model.ts';
import { isRecord, textOf, type Fields, type Stored } from '../state/store.ts';
import { accountActivity, dismissSession, voidTokens } from './accounts.ts';
import { passkeyOperations, passkeysOf, provenPasskey, shownPasskey } from './passkeys.ts';
import { expectAcceptable } from './passwords.ts';
import { newRecoveryCodes, recoveryCodesOf } from './recovery-codes.ts';

interface Totp {
  readonly secret: string;
  readonly enabledAt: string;
  readonly lastStep: number;
}

const totpOf = ({ hidden }: Stored) => hidden['totp'] as Totp | undefined;
const codesOf = recoveryCodesOf;

/** Compares a code as people type it. */
const canonical = (code: unknown) => String(code).toUpperCase().replaceAll(/[\s-]/g, '');

/** Returns the step that a code is of: the present one, or the one before or after. */
function stepOf(state: State, secret: string, code: unknown): number | undefined {
  const now = stepAt(state.nowMs());
  return [now - 1, now, now + 1].find((step) => codeOf(secret, step) === canonical(code));
}

/**
 * @returns the kind of the second factor; null if the account has none
 * @throws MockFailure if the account has one and the request none that is right
 */
export function proveSecondFactor(call: Call, user: Stored): unknown {
  if (!hasSecondFactor(call.state, user)) return null;
  const presented = bodyOf(call)['secondFactor'];
  if (!isRecord(presented)) throw secondFactorRequired(call.state, user);
  if (!isRight(call, user, presented)) throw new MockFailure('second_factor_invalid');
  return presented['kind'];
}

function isRight(call: Call, user: Stored, presented: Fields): boolean {
  switch (presented['kind']) {
    case 'passkey': {
      const purpose = call.session ? 'PROOF' : 'SIGN_IN';
      return provenPasskey(call, presented['response'], purpose)?.ownerId === user.id;
    }
    case 'totp':
      return acceptTotp(call.state, user, presented['code']);
    default:
      return acceptRecoveryCode(call, user, presented['code']);
  }
}

const texts: Readonly<Record<SecondFactorKind, string>> = {
  passkey: 'A passkey',
  totp: 'A code of the authenticator app',
  recovery: 'A recovery code',
};

function secondFactorRequired(state: State, user: Stored): MockFailure {
  const has: Record<SecondFactorKind, boolean> = {
    passkey: passkeysOf(state, user).length > 0,
    totp: totpOf(user) !== undefined,
    recovery: codesOf(user).length > 0,
  };
  const kinds = secondFactorKinds.filter((kind) => has[kind]);
  return new MockFailure('second_factor_required', {
    errors: kinds.map((kind) => ({
      in: 'body',
      path: ['secondFactor'],
      code: kind,
      message: texts[kind],
    })),
  });
}

function acceptTotp(state: State, user: Stored, code: unknown): boolean {
  const totp = totpOf(user);
  const step = totp && stepOf(state, totp.secret, code);
  if (!totp || step === undefined || step <= totp.lastStep) return false;
  user.hidden['totp'] = { ...totp, lastStep: step };
  return true;
}

function acceptRecoveryCode(call: Call, user: Stored, code: unknown): boolean {
  const left = codesOf(user).filter((one) => canonical(one) !== canonical(code));
  if (left.length === codesOf(user).length) return false;
  user.hidden['recoveryCodes'] = left;
  call.activities = [...(call.activities ?? []), accountActivity(user, 'use_recovery_code')];
  return true;
}

function overview(call: Call): Fields {
  const { state, session } = call;
  const caller = callerOf(call);
  const totp = totpOf(caller);
  const until = Number(session?.hidden['confirmedUntil'] ?? 0);
  return {
    hasPassword: Array.isArray(caller.hidden['passwords']) && caller.hidden['passwords'].length > 0,
    passkeys: passkeysOf(state, caller).map(shownPasskey),
    totp: totp ? { enabledAt: totp.enabledAt } : null,
    recoveryCodesLeft: codesOf(caller).length,
    identities: [],
    confirmedUntil: until > state.nowMs() ? new Date(until).toISOString() : null,
  };
}

function startTotp(call: Call): Fields {
  const caller = callerOf(call);
  const secret = base32Of(call.state.newSecret());
  caller.hidden['pendingTotp'] = secret;
  call.activities = [];
  const account = encodeURIComponent(textOf(caller.fields, 'email'));
  const uri = `otpauth://totp/Atelier:${account}?secret=${secret}&issuer=Atelier&algorithm=SHA1&digits=6&period=30`;
  return { secret, uri };
}

function enableTotp(call: Call): Fields {
  const { state, session } = call;
  const caller = callerOf(call);
  const secret = caller.hidden['pendingTotp'];
  if (typeof secret !== 'string') throw new MockFailure('not_found');
  const step = stepOf(state, secret, bodyOf(call)['code']);
  if (step === undefined) throw new MockFailure('second_factor_invalid');
  Object.assign(caller.hidden, {
    pendingTotp: undefined,
    totp: { secret, enabledAt: state.now(), lastStep: step },
  });
  for (const other of state.store.all('session')) {
    if (other.ownerId === caller.id && other.id !== session?.id) other.hidden['confirmedUntil'] = 0;
  }
  call.activities = [accountActivity(caller, 'enable_totp')];
  return { recoveryCodes: newRecoveryCodes(state, caller) };
}

/** Ends the recovery codes with the last factor. */
export function settleFactors({ state }: Call, user: Stored): void {
  if (!hasSecondFactor(state, user)) user.hidden['recoveryCodes'] = [];
}

function removePasskey(call: Call): Fields {
  const caller = callerOf(call);
  const passkey = recordAt(call, 'params.id');
  call.state.store.remove(passkey);
  settleFactors(call, caller);
  call.activities = [accountActivity(caller, 'remove_passkey')];
  return { id: passkey.id };
}

function disableTotp(call: Call): Fields {
  const caller = callerOf(call);
  if (!totpOf(caller)) throw new MockFailure('not_found');
  Object.assign(caller.hidden, { totp: undefined, pendingTotp: undefined });
  settleFactors(call, caller);
  call.activities = [accountActivity(caller, 'disable_totp')];
  return { totp: null };
}

function renewRecoveryCodes(call: Call): Fields {
  const caller = callerOf(call);
  if (!hasSecondFactor(call.state, caller)) throw new MockFailure('not_found');
  call.activities = [accountActivity(caller, 'renew_recovery_codes')];
  return { recoveryCodes: newRecoveryCodes(call.state, caller) };
}

function changePassword(call: Call): Fields {
  const { state, session } = call;
  const caller = callerOf(call);
  const { currentPassword, newPassword, endOtherSessions } = bodyOf(call);
  const email = textOf(caller.fields, 'email');
  expectAcceptable(String(newPassword), { email, field: 'newPassword' });
  const passwords: unknown = caller.hidden['passwords'];
  if (!Array.isArray(passwords) || !passwords.includes(currentPassword)) {
    throw new MockFailure('invalid_credentials', { message: 'The password is wrong' });
  }
  call.activities = [accountActivity(caller, 'change_password')];
  proveSecondFactor(call, caller);
  caller.hidden['passwords'] = [newPassword];
  voidTokens(state, caller.id);
  const others = state.store
    .all('session')
    .filter(({ id, ownerId }) => ownerId === caller.id && id !== session?.id);
  if (endOtherSessions === false) return { endedCount: 0 };
  for (const other of others) dismissSession(state, other);
  return { endedCount: others.length };
}

/** No account of the mock has a provider. */
function removeIdentity(): Fields {
  throw new MockFailure('not_found');
}

export const security: Feature = {
  operations: {
    'security.overview': { respond: overview },
    'security.startTotp': { respond: startTotp },
    'security.enableTotp': { respond: enableTotp },
    'security.disableTotp': { respond: disableTotp },
    'security.renewRecoveryCodes': { respond: renewRecoveryCodes },
    'security.removeIdentity': { respond: removeIdentity },
    ...passkeyOperations,
    'security.removePasskey': { respond: removePasskey },
    'security.changePassword': { respond: changePassword },
  },
};
