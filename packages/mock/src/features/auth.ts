import { lifetimes } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { bodyOf, callerOf } from '../state/call.ts';
import type { Call, Feature } from '../state/model.ts';
import { revokeKeys } from '../state/keys.ts';
import { shown } from '../state/perform.ts';
import { isRecord, textOf, type Fields, type Stored } from '../state/store.ts';
import {
  accountActivity,
  accountOf,
  addAccount,
  confirmedUntil,
  endSessions,
  findToken,
  mailToken,
  newToken,
  newTokens,
  signIn,
  userOfToken,
  voidTokens,
} from './accounts.ts';
import { isKeptForAnother } from './email-changes.ts';
import { passkeySignIn, provenPasskey } from './passkeys.ts';
import { expectAcceptable } from './passwords.ts';
import { proveSecondFactor } from './security.ts';

function register(call: Call): Fields {
  const { state } = call;
  const body = bodyOf(call);
  const email = textOf(body, 'email');
  const password = textOf(body, 'password');
  expectAcceptable(password, { email, field: 'password' });
  const known = accountOf(state, email);
  call.activities = [];
  if (known && known.fields['accountStatus'] !== 'PENDING') return { email };
  if (!known && isKeptForAnother(state, email)) return { email };
  const { firstName, lastName } = body;
  const user = known ?? addAccount(state, { email, password, firstName, lastName });
  if (known) known.hidden['passwords'] = [...new Set([...passwordsOf(known), password])];
  else call.activities = [accountActivity(user, 'register')];
  mailToken(state, user, 'verify-email');
  return { email };
}

function passwordsOf({ hidden }: Stored): readonly unknown[] {
  return Array.isArray(hidden['passwords']) ? hidden['passwords'] : [];
}

function verifyEmail(call: Call): Fields {
  const user = userOfToken(call, 'verify-email');
  user.fields['accountStatus'] = 'VERIFIED';
  call.activities = [accountActivity(user, 'verify_email')];
  const email = user.fields['email'];
  if (passwordsOf(user).length <= 1) return { email, resetToken: null };
  // Which of the passwords is that of the owner of the address is unknown.
  user.hidden['passwords'] = [];
  return { email, resetToken: newToken(call.state, user, 'reset-password') };
}

function requestPasswordReset(call: Call): Fields {
  const email = textOf(bodyOf(call), 'email');
  const found = accountOf(call.state, email);
  const isResettable = ['PENDING', 'VERIFIED'].includes(textOf(found?.fields, 'accountStatus'));
  const user = isResettable ? found : undefined;
  call.activities = user ? [accountActivity(user, 'request_password_reset')] : [];
  if (user) mailToken(call.state, user, 'reset-password');
  return { email };
}

function resetPassword(call: Call): Fields {
  const { token, password } = bodyOf(call);
  const found = findToken(call.state, token, 'reset-password');
  const account = call.state.store.find('user', found?.ownerId);
  // A refused password leaves the token valid.
  const email = textOf(account?.fields, 'email');
  if (account) expectAcceptable(String(password), { email, field: 'password' });
  const user = userOfToken(call, 'reset-password');
  voidTokens(call.state, user.id);
  user.hidden['passwords'] = [password];
  if (user.fields['accountStatus'] === 'PENDING') user.fields['accountStatus'] = 'VERIFIED';
  endSessions(call.state, user.id);
  if (bodyOf(call)['revokeApiKeys'] === true) revokeKeys(call.state, user.id);
  call.activities = [accountActivity(user, 'reset_password')];
  return { email: user.fields['email'] };
}

function verifyToken({ state, input }: Call): Fields {
  const token = findToken(state, input.query['token'], 'reset-password');
  if (!token) throw new MockFailure('invalid_or_expired_token');
  return { valid: true, expiresAt: token.fields['expiresAt'] };
}

function login(call: Call): Fields {
  const body = bodyOf(call);
  const user = accountOf(call.state, textOf(body, 'email'));
  if (!user || passwordsOf(user).length !== 1 || passwordsOf(user)[0] !== body['password']) {
    throw new MockFailure('invalid_credentials');
  }
  const { accountStatus, email } = user.fields;
  if (accountStatus === 'PENDING') throw new MockFailure('account_pending');
  if (accountStatus === 'SUSPENDED') throw new MockFailure('account_suspended');
  if (accountStatus === 'DELETION_PENDING') throw new MockFailure('account_deletion_pending');
  call.activities = [accountActivity(user, 'login')];
  const how = { method: 'password', secondFactor: proveSecondFactor(call, user) } as const;
  const { accessToken, refreshToken } = signIn(call, user, how).hidden;
  return { user: { id: user.id, email }, token: { accessToken, refreshToken } };
}

function confirm(call: Call): Fields {
  const { state, session } = call;
  const caller = callerOf(call);
  const { password, passkey } = bodyOf(call);
  call.activities = [accountActivity(caller, 'confirm')];
  if (passkey === undefined) {
    if (!passwordsOf(caller).includes(password)) {
      throw new MockFailure('invalid_credentials', { message: 'The password is wrong' });
    }
    proveSecondFactor(call, caller);
  } else if (provenPasskey(call, passkey, 'PROOF')?.ownerId !== caller.id) {
    throw new MockFailure('passkey_invalid');
  }
  const until = confirmedUntil(state);
  if (session) session.hidden['confirmedUntil'] = until;
  return { confirmedUntil: new Date(until).toISOString() };
}

function refresh(call: Call): Fields {
  const { state, request } = call;
  const { store } = state;
  const presented = bodyOf(call)['refreshToken'];
  const key = request.headers['idempotency-key'];
  const token = store.find('RefreshToken', presented);
  if (!token || Number(token.hidden['untilMs']) <= state.nowMs()) {
    throw new MockFailure('access_denied');
  }
  const sessions = store.all('session');
  const session = sessions.find(({ hidden }) => hidden['refreshToken'] === presented);
  if (!session) return repeatOrEnd(call, token, key);
  const untilMs = state.nowMs() + lifetimes.refreshRepetitionSeconds * 1000;
  Object.assign(session.hidden, newTokens(state, token.ownerId), {
    last: { presented, key, untilMs },
  });
  session.fields['lastUsedAt'] = state.now();
  return tokensOf(session);
}

function tokensOf({ hidden }: Stored): Fields {
  return { token: hidden['accessToken'], refreshToken: hidden['refreshToken'] };
}

/** The last rotation can be repeated under its key; any other use of a revoked token ends every session. */
function repeatOrEnd({ state }: Call, { id, ownerId }: Stored, key: string | undefined): Fields {
  const session = state.store.all('session').find(({ hidden }) => {
    const last = hidden['last'];
    return (
      isRecord(last) &&
      last['presented'] === id &&
      key !== undefined &&
      last['key'] === key &&
      Number(last['untilMs']) > state.nowMs()
    );
  });
  if (session) return tokensOf(session);
  endSessions(state, ownerId);
  throw new MockFailure('access_denied');
}

function logout(call: Call): undefined {
  const presented = bodyOf(call)['refreshToken'];
  const { store } = call.state;
  const session = store.all('session').find(({ hidden }) => hidden['refreshToken'] === presented);
  const user = store.find('user', session?.ownerId);
  call.activities = user ? [accountActivity(user, 'logout')] : [];
  if (session) store.remove(session);
  return undefined;
}

function noProvider(): never {
  throw new MockFailure('provider_not_configured');
}

export const auth: Feature = {
  operations: {
    'auth.register': { respond: register },
    'auth.verifyEmail': { respond: verifyEmail },
    'auth.requestPasswordReset': { respond: requestPasswordReset },
    'auth.resetPassword': { respond: resetPassword },
    'auth.verifyToken': { respond: verifyToken },
    'auth.login': { respond: login },
    ...passkeySignIn,
    'auth.startGoogle': { respond: noProvider },
    'auth.googleCallback': { respond: noProvider },
    'auth.startGithub': { respond: noProvider },
    'auth.githubCallback': { respond: noProvider },
    'auth.exchange': {
      respond: () => {
        throw new MockFailure('invalid_or_expired_code');
      },
    },
    'auth.exchangeWithSecondFactor': {
      respond: () => {
        throw new MockFailure('invalid_or_expired_code');
      },
    },
    'auth.user': { respond: (call) => shown(call, callerOf(call)) },
    'auth.confirm': { respond: confirm },
    'auth.refresh': { respond: refresh },
    'auth.logout': { respond: logout },
  },
};
