import { lifetimes, maxPasskeys } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { bodyOf, callerOf, recordAt } from '../state/call.ts';
import type { Call, State } from '../state/model.ts';
import { isRecord, textOf, type Fields, type Stored } from '../state/store.ts';
import { accountActivity, signIn } from './accounts.ts';
import { newRecoveryCodes, recoveryCodesOf } from './recovery-codes.ts';

/** What a challenge is for. */
type Purpose = 'SIGN_IN' | 'PROOF' | 'REGISTRATION';

const timeout = lifetimes.passkeyChallengeSeconds * 1000;

export function passkeysOf({ store }: State, user: Stored): readonly Stored[] {
  return store.all('passkey').filter(({ ownerId }) => ownerId === user.id);
}

export function shownPasskey({ id, fields }: Stored): Fields {
  return { ...fields, id };
}

/**
 * Finds the passkey of a response, and uses up its challenge. Checks everything but the signature and the hash of the
 * site, for which the mock has no cryptography: it responds synchronously, also in browsers.
 *
 * @returns undefined if it is wrong
 */
export function provenPasskey(call: Call, response: unknown, purpose: Purpose): Stored | undefined {
  const { state } = call;
  const signed = isRecord(response) ? response['response'] : undefined;
  if (!isRecord(response) || !isRecord(signed)) return undefined;
  if (!takesChallenge(call, signed['clientDataJSON'], { purpose, type: 'webauthn.get' })) {
    return undefined;
  }
  const passkey = state.store
    .all('passkey')
    .find(({ hidden }) => hidden['credentialId'] === response['id']);
  const data = bytesOf(signed['authenticatorData']);
  const isVerified = ((data[32] ?? 0) & 5) === 5;
  const counter = data.slice(33, 37).reduce((sum, byte) => sum * 256 + byte, 0);
  const last = Number(passkey?.hidden['counter']);
  if (!passkey || !isVerified || (counter <= last && counter + last > 0)) return undefined;
  const handle = signed['userHandle'];
  if (handle !== undefined && handle !== userHandleOf(passkey.ownerId ?? '')) return undefined;
  passkey.hidden['counter'] = counter;
  passkey.fields['lastUsedAt'] = state.now();
  return passkey;
}

function takesChallenge(
  { state, session }: Call,
  clientData: unknown,
  { purpose, type }: { readonly purpose: Purpose; readonly type: string },
): boolean {
  const said = parsed(String.fromCharCode(...bytesOf(clientData)));
  const challenge = state.store.find('PasskeyChallenge', said['challenge']);
  if (!challenge) return false;
  state.store.remove(challenge);
  return (
    challenge.hidden['purpose'] === purpose &&
    challenge.hidden['sessionId'] === (purpose === 'SIGN_IN' ? null : session?.id) &&
    Number(challenge.hidden['untilMs']) > state.nowMs() &&
    said['type'] === type &&
    said['origin'] === new URL(state.appUrl).origin
  );
}

function parsed(json: string): Fields {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function bytesOf(base64Url: unknown): number[] {
  try {
    const text = atob(String(base64Url).replaceAll('-', '+').replaceAll('_', '/'));
    return Array.from(text, (one) => one.charCodeAt(0));
  } catch {
    return [];
  }
}

function base64Url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function userHandleOf(userId: string): string {
  const bytes = userId.replaceAll('-', '').match(/../g) ?? [];
  return base64Url(String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16))));
}

function issuedChallenge({ state, session }: Call, purpose: Purpose): string {
  const challenge = base64Url(state.newSecret().slice(0, 33));
  state.store.add({
    kind: 'PasskeyChallenge',
    id: challenge,
    organizationId: null,
    ownerId: null,
    fields: {},
    hidden: {
      purpose,
      sessionId: purpose === 'SIGN_IN' ? null : session?.id,
      untilMs: state.nowMs() + timeout,
    },
  });
  return challenge;
}

function descriptors(passkeys: readonly Stored[]): Fields[] {
  return passkeys.map(({ hidden }) => ({
    id: hidden['credentialId'],
    type: 'public-key',
    transports: hidden['transports'],
  }));
}

function requestOptions(call: Call, purpose: Purpose, known: readonly Stored[]): Fields {
  call.activities = [];
  return {
    challenge: issuedChallenge(call, purpose),
    timeout,
    rpId: new URL(call.state.appUrl).hostname,
    allowCredentials: descriptors(known),
    userVerification: 'required',
  };
}

function loginWithPasskey(call: Call): Fields {
  const { state } = call;
  const { response } = bodyOf(call);
  const passkey = provenPasskey(call, response, 'SIGN_IN');
  const says = isRecord(response) && isRecord(response['response']) ? response['response'] : {};
  const user = state.store.find('user', passkey?.ownerId);
  if (!user || says['userHandle'] === undefined) throw new MockFailure('passkey_invalid');
  const { accountStatus, email } = user.fields;
  if (accountStatus === 'SUSPENDED') throw new MockFailure('account_suspended');
  if (accountStatus === 'DELETION_PENDING') throw new MockFailure('account_deletion_pending');
  call.activities = [accountActivity(user, 'login')];
  const how = { method: 'passkey', secondFactor: null } as const;
  const { accessToken, refreshToken } = signIn(call, user, how).hidden;
  return { user: { id: user.id, email }, token: { accessToken, refreshToken } };
}

function startPasskey(call: Call): Fields {
  const { state } = call;
  const caller = callerOf(call);
  const known = passkeysOf(state, caller);
  if (known.length >= maxPasskeys) throw new MockFailure('too_many_passkeys');
  call.activities = [];
  const email = textOf(caller.fields, 'email');
  return {
    challenge: issuedChallenge(call, 'REGISTRATION'),
    timeout,
    rp: { id: new URL(state.appUrl).hostname, name: 'Atelier' },
    user: {
      id: userHandleOf(caller.id),
      name: email,
      displayName: textOf(caller.fields, 'displayName'),
    },
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: descriptors(known),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

function addPasskey(call: Call): Fields {
  const { state, session } = call;
  const caller = callerOf(call);
  const { name, response } = bodyOf(call);
  const made = isRecord(response) && isRecord(response['response']) ? response['response'] : {};
  const use = { purpose: 'REGISTRATION', type: 'webauthn.create' } as const;
  const credentialId = isRecord(response) ? response['id'] : undefined;
  const isKnown = state.store
    .all('passkey')
    .some(({ hidden }) => hidden['credentialId'] === credentialId);
  if (!takesChallenge(call, made['clientDataJSON'], use) || isKnown) {
    throw new MockFailure('passkey_invalid');
  }
  if (passkeysOf(state, caller).length >= maxPasskeys) throw new MockFailure('too_many_passkeys');
  const passkey = state.store.add({
    kind: 'passkey',
    id: state.newId(),
    organizationId: null,
    ownerId: caller.id,
    fields: { name, isBackedUp: false, createdAt: state.now(), lastUsedAt: null },
    hidden: { credentialId, transports: made['transports'] ?? [], counter: 0 },
  });
  for (const other of state.store.all('session')) {
    if (other.ownerId === caller.id && other.id !== session?.id) other.hidden['confirmedUntil'] = 0;
  }
  call.activities = [accountActivity(caller, 'add_passkey')];
  const recoveryCodes = recoveryCodesOf(caller).length > 0 ? null : newRecoveryCodes(state, caller);
  return { ...shownPasskey(passkey), recoveryCodes };
}

function renamePasskey(call: Call): Fields {
  const passkey = recordAt(call, 'params.id');
  passkey.fields['name'] = bodyOf(call)['name'];
  call.activities = [];
  return shownPasskey(passkey);
}

export const passkeySignIn = {
  'auth.passkeyChallenge': { respond: (call: Call) => requestOptions(call, 'SIGN_IN', []) },
  'auth.loginWithPasskey': { respond: loginWithPasskey },
};

export const passkeyOperations = {
  'security.passkeyChallenge': {
    respond: (call: Call) => requestOptions(call, 'PROOF', passkeysOf(call.state, callerOf(call))),
  },
  'security.startPasskey': { respond: startPasskey },
  'security.addPasskey': { respond: addPasskey },
  'security.renamePasskey': { respond: renamePasskey },
};
