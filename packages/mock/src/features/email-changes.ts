import { emailUndoDays } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { bodyOf, callerOf } from '../state/call.ts';
import type { Call, Feature, State } from '../state/model.ts';
import { sendMail } from '../state/state.ts';
import { textOf, type Fields, type Stored } from '../state/store.ts';
import {
  accountActivity,
  accountOf,
  dismissSession,
  endSessions,
  findToken,
  mailToken,
  newToken,
  rename,
  voidTokens,
} from './accounts.ts';
import { passkeysOf } from './passkeys.ts';
import { settleFactors } from './security.ts';

const undoMs = emailUndoDays * 24 * 60 * 60 * 1000;

/** A former email, under the token that gives it back. Nothing that voids mailed tokens ends it. */
const changesOf = ({ store, nowMs }: State) =>
  store.all('EmailChange').filter(({ fields }) => Number(fields['changedAtMs']) + undoMs > nowMs());

/** Whether an email is kept for another account, which had it until lately. */
export function isKeptForAnother(state: State, email: string, user?: Stored): boolean {
  return changesOf(state).some(
    ({ fields, ownerId }) => fields['oldEmail'] === email && ownerId !== user?.id,
  );
}

const isTaken = (state: State, email: string, user: Stored) =>
  accountOf(state, email) !== undefined || isKeptForAnother(state, email, user);

function requestEmailChange(call: Call): Fields {
  const { state, session } = call;
  const caller = callerOf(call);
  const newEmail = textOf(bodyOf(call), 'newEmail');
  if (Number(caller.hidden['emailFixedUntil'] ?? 0) > state.nowMs()) {
    throw new MockFailure('email_change_blocked');
  }
  if (newEmail === caller.fields['email']) {
    const message = 'Invalid newEmail: it is your email already';
    throw new MockFailure('validation_failed', {
      errors: [{ in: 'body', path: ['newEmail'], code: 'unchanged', message }],
    });
  }
  call.activities = [accountActivity(caller, 'request_email_change')];
  const token = newToken(state, caller, 'change-email');
  const [subject, path] = isTaken(state, newEmail, caller)
    ? ['This email is already in use', '/login']
    : ['Confirm your new email', `/change-email?token=${token}`];
  caller.hidden['requestedEmail'] = { newEmail, sessionId: session?.id };
  sendMail(state, { to: newEmail, subject, path });
  sendMail(state, {
    to: textOf(caller.fields, 'email'),
    subject: 'Another email was requested',
    path: '/forgot-password',
  });
  return { newEmail };
}

function confirmEmailChange(call: Call): Fields {
  const { state } = call;
  const { store } = state;
  const token = findToken(state, bodyOf(call)['token'], 'change-email');
  const user = store.find('user', token?.ownerId);
  const { newEmail, sessionId } = (user?.hidden['requestedEmail'] ?? {}) as Fields;
  const isPossible =
    token !== undefined &&
    user?.fields['accountStatus'] === 'VERIFIED' &&
    typeof newEmail === 'string' &&
    !isTaken(state, newEmail, user);
  if (!isPossible) throw new MockFailure('invalid_or_expired_token');
  const oldEmail = textOf(user.fields, 'email');
  user.fields['email'] = newEmail;
  rename(user);
  voidTokens(state, user.id);
  for (const one of store.all('session')) {
    if (one.ownerId === user.id && one.id !== sessionId) dismissSession(state, one);
  }
  const id = state.newSecret();
  const step = store.all('EmailChange').length;
  const fields = { oldEmail, step, changedAtMs: state.nowMs() };
  store.add({ kind: 'EmailChange', id, organizationId: null, ownerId: user.id, fields });
  const subject = 'The email of your account was changed';
  sendMail(state, { to: oldEmail, subject, path: `/undo-email-change?token=${id}` });
  call.activities = [accountActivity(user, 'change_email')];
  return { email: newEmail };
}

function undoEmailChange(call: Call): Fields {
  const { state } = call;
  const { store } = state;
  const presented = bodyOf(call)['token'];
  const change = changesOf(state).find(({ id }) => id === presented);
  const user = store.find('user', change?.ownerId);
  if (!change || !user) throw new MockFailure('invalid_or_expired_token');
  for (const later of store.all('EmailChange')) {
    const isLater = Number(later.fields['step']) >= Number(change.fields['step']);
    if (later.ownerId === user.id && isLater) store.remove(later);
  }
  const email = textOf(change.fields, 'oldEmail');
  user.fields['email'] = email;
  rename(user);
  user.hidden['emailFixedUntil'] = state.nowMs() + undoMs;
  user.hidden['passwords'] = [];
  if (user.fields['accountStatus'] === 'DELETION_PENDING') {
    user.fields['accountStatus'] = 'VERIFIED';
  }
  voidTokens(state, user.id);
  // A passkey signs in alone: the thief may have added one before the change.
  const sinceMs = Number(change.fields['changedAtMs']) - undoMs;
  for (const passkey of passkeysOf(state, user)) {
    if (Date.parse(textOf(passkey.fields, 'createdAt')) > sinceMs) store.remove(passkey);
  }
  settleFactors(call, user);
  endSessions(state, user.id);
  mailToken(state, user, 'reset-password');
  call.activities = [accountActivity(user, 'undo_email_change')];
  return { email };
}

export const emailChanges: Feature['operations'] = {
  'account.requestEmailChange': { respond: requestEmailChange },
  'account.confirmEmailChange': { respond: confirmEmailChange },
  'account.undoEmailChange': { respond: undoEmailChange },
};
