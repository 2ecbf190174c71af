import {
  deletionDelayDays,
  lifetimes,
  resourceCatalogue,
  type SignInMethod,
} from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { bodyOf } from '../state/call.ts';
import type { Call, NewActivity, State } from '../state/model.ts';
import { sendMail } from '../state/state.ts';
import { isRecord, textOf, type Stored } from '../state/store.ts';
import { addOrganization } from './teams.ts';

export interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly firstName?: unknown;
  readonly lastName?: unknown;
}

/** Creates an account that is not verified yet, with its personal organization. */
export function addAccount(state: State, { email, password, ...names }: NewAccount): Stored {
  const { store } = state;
  const now = state.now();
  const id = state.newId();
  const user = store.add({
    kind: 'user',
    id,
    organizationId: null,
    ownerId: id,
    fields: {
      email,
      firstName: names.firstName ?? null,
      lastName: names.lastName ?? null,
      avatarUrl: null,
      accountStatus: 'PENDING',
      platformRole: 'USER',
      mailNotices: true,
      mailSignIns: false,
      createdAt: now,
      updatedAt: now,
    },
    hidden: { passwords: [password] },
  });
  rename(user);
  const { id: personal } = addOrganization(state, {
    name: 'Personal',
    type: 'PERSONAL',
    owner: user,
  });
  user.fields['personalOrganizationId'] = personal;
  return user;
}

/** Sets the name that others see. */
export function rename({ fields }: Stored): void {
  const names = [fields['firstName'], fields['lastName']].filter((one) => typeof one === 'string');
  fields['displayName'] = names.join(' ') || textOf(fields, 'email').split('@', 1)[0];
}

export function accountOf({ store }: State, email: string): Stored | undefined {
  return store
    .all('user')
    .find(({ fields, hidden }) => fields['email'] === email && hidden['isService'] !== true);
}

/** Describes what an account did to itself. */
export function accountActivity(user: Stored, verb: string): NewActivity {
  if (!(verb in resourceCatalogue.user.actions)) throw new Error(`there is no user.${verb}`);
  return {
    action: `user.${verb}`,
    resourceId: user.id,
    resourceName: textOf(user.fields, 'displayName'),
    actor: user,
  };
}

/** Opens a session. */
export function signIn(
  { state, request }: Pick<Call, 'state' | 'request'>,
  user: Stored,
  how: { method: SignInMethod; secondFactor: unknown },
): Stored {
  const now = state.now();
  return state.store.add({
    kind: 'session',
    id: state.newId(),
    organizationId: null,
    ownerId: user.id,
    fields: {
      device: deviceIn(request.headers['user-agent'] ?? ''),
      ipAddress: '127.0.0.1',
      signIn: how,
      createdAt: now,
      lastUsedAt: now,
    },
    hidden: { ...newTokens(state, user.id), confirmedUntil: confirmedUntil(state) },
  });
}

/** Tokens of the mock start with `mock.`, so that ended ones are told from those it never made. */
export function newTokens(state: State, ownerId: string | null) {
  const accessToken = `mock.access.${state.newSecret()}`;
  const refreshToken = `mock.refresh.${state.newSecret()}`;
  const untilMs = state.nowMs() + lifetimes.refreshTokenSeconds * 1000;
  // It outlives its session: presented after that, it ends the others.
  const token = { kind: 'RefreshToken', id: refreshToken, organizationId: null, ownerId };
  state.store.add({ ...token, fields: {}, hidden: { untilMs } });
  return {
    accessToken,
    refreshToken,
    accessUntil: state.nowMs() + lifetimes.accessTokenSeconds * 1000,
  };
}

/** A sign-in confirms who uses the session, for operations that need it. */
export function confirmedUntil(state: State): number {
  return state.nowMs() + lifetimes.confirmationSeconds * 1000;
}

/**
 * Ends a session whose tokens are not revoked: presented later, its refresh token ends no other session. A change of the
 * email that it requested is void.
 */
export function dismissSession(state: State, session: Stored): void {
  const { store } = state;
  const token = store.find('RefreshToken', session.hidden['refreshToken']);
  if (token) store.remove(token);
  store.remove(session);
  const requested = store.find('user', session.ownerId)?.hidden['requestedEmail'];
  if (isRecord(requested) && requested['sessionId'] === session.id) {
    voidTokens(state, session.ownerId, 'change-email');
  }
}

/** Ends every session of an account, and revokes its tokens. A requested change of the email is void. */
export function endSessions(state: State, userId: string | null): void {
  for (const session of state.store.all('session')) {
    if (session.ownerId === userId) state.store.remove(session);
  }
  voidTokens(state, userId, 'change-email');
}

function deviceIn(userAgent: string): string {
  const browser = ['Firefox', 'Edg', 'Chrome', 'Safari'].find((name) => userAgent.includes(name));
  const system = ['Windows', 'Android', 'iPhone', 'Mac', 'Linux'].find((name) =>
    userAgent.includes(name),
  );
  if (!browser) return userAgent.split(/[\s/]/, 1)[0] || 'Unknown';
  return `${browser === 'Edg' ? 'Edge' : browser} on ${system ?? 'an unknown system'}`;
}

type Purpose = 'verify-email' | 'reset-password' | 'keep-account' | 'change-email';

const subjects: Readonly<Record<Purpose, string>> = {
  'verify-email': 'Please verify your email address',
  'reset-password': 'Reset your password',
  'keep-account': 'Your account will be deleted',
  'change-email': 'Confirm your new email',
};
const lifetimeSeconds: Readonly<Record<Purpose, number>> = {
  'verify-email': lifetimes.emailVerificationTokenSeconds,
  'reset-password': lifetimes.passwordResetTokenSeconds,
  'keep-account': deletionDelayDays * 24 * 60 * 60,
  'change-email': lifetimes.emailVerificationTokenSeconds,
};

/** Makes a token for one use, in place of earlier ones for the same purpose. */
export function newToken(state: State, user: Stored, purpose: Purpose): string {
  voidTokens(state, user.id, purpose);
  const token = state.newSecret();
  const untilMs = Date.parse(state.now()) + lifetimeSeconds[purpose] * 1000;
  state.store.add({
    kind: 'Token',
    id: token,
    organizationId: null,
    ownerId: user.id,
    fields: { purpose, expiresAt: new Date(untilMs).toISOString() },
  });
  return token;
}

/** Voids the links mailed to an account: those for one purpose, or all. */
export function voidTokens({ store }: State, userId: string | null, purpose?: Purpose): void {
  for (const token of store.all('Token')) {
    const isChosen = purpose === undefined || token.fields['purpose'] === purpose;
    if (token.ownerId === userId && isChosen) store.remove(token);
  }
}

export function mailToken(state: State, user: Stored, purpose: Purpose): void {
  const token = newToken(state, user, purpose);
  const to = textOf(user.fields, 'email');
  sendMail(state, { to, subject: subjects[purpose], path: `/${purpose}?token=${token}` });
}

/** Finds a token that can still be used. */
export function findToken(state: State, token: unknown, purpose: Purpose): Stored | undefined {
  const found = state.store.find('Token', token);
  if (found?.fields['purpose'] !== purpose) return undefined;
  return textOf(found.fields, 'expiresAt') > state.now() ? found : undefined;
}

/** Uses up the token of a request's body. @throws MockFailure if it can't be used */
export function userOfToken(call: Call, purpose: Purpose): Stored {
  const { store } = call.state;
  const token = findToken(call.state, bodyOf(call)['token'], purpose);
  const user = store.find('user', token?.ownerId);
  if (!token || !user) throw new MockFailure('invalid_or_expired_token');
  store.remove(token);
  return user;
}
