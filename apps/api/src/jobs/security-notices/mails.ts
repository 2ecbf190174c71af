import type { Jobs } from '../../ports/jobs.ts';
import type { Mail } from '../../ports/mailer.ts';
import { accountEvents } from '../../domain/notifications/account-events.ts';
import { linkMail } from '../mails.ts';
import { cameFrom } from '../origin.ts';
import { signInMail, type SignInNotice } from './sign-in-mail.ts';

type Notice = Jobs['send_security_notice'];

/** What happened, without a full stop. */
const events: Readonly<Record<Exclude<Notice['about'], SignInNotice>, string>> = {
  PASSWORD_CHANGED: 'The password of your Atelier account was changed',
  PASSWORD_RESET:
    'The password of your Atelier account was reset with a link from this mailbox, and all its sessions were ended',
  EMAIL_CHANGE_REQUESTED:
    'Another email was requested for your Atelier account. Nothing changes until a link in that mailbox is opened',
  IDENTITY_ADDED:
    'A provider that knows this address was connected, and can sign in to your Atelier account',
  IDENTITY_REMOVED: 'A provider no longer signs in to your Atelier account',
  PASSKEY_ADDED: 'A passkey was added to your Atelier account, and can sign in to it',
  PASSKEY_REMOVED: 'A passkey of your Atelier account was removed, and opens it no longer',
  PASSKEY_COPIED:
    'A passkey of your Atelier account was refused, because it counts its uses and has counted too few: there may be a copy of it',
  PASSKEY_LIMIT: 'Wrong responses of a passkey of your Atelier account were sent several times',
  TOTP_ENABLED: 'Signing in to your Atelier account now takes a code of your authenticator app',
  TOTP_DISABLED: 'Signing in to your Atelier account takes no code any more',
  RECOVERY_CODES_RENEWED:
    'Your Atelier account has new recovery codes, and the old ones no longer work',
  RECOVERY_CODE_USED: 'A recovery code of your Atelier account was used, and no longer works',
  SECOND_FACTOR_RESET:
    'An operator of the service removed the second factor of your Atelier account and ended its sessions',
  SECOND_FACTOR_LIMIT:
    'Your Atelier account was opened with the right password, but with a wrong second factor several times',
  SECOND_FACTOR_POLICY_CHANGED:
    'Your Atelier account changed whether a team of yours requires a second factor of its members',
};

/** Tells a person what has changed about the protection of the account, or that it was signed in to. */
export function securityNoticeMail(
  to: string,
  { about, origin, at }: Omit<Notice, 'userId' | 'notificationId'>,
  appUrl: string,
): Mail {
  if (about === 'SIGN_IN' || about === 'NEW_SIGN_IN') {
    return signInMail(to, about, { origin, at, link: `${appUrl}/settings/security` });
  }
  const from = origin ? cameFrom(origin) : '';
  return linkMail({
    to,
    subject: accountEvents[about],
    greeting: events[about],
    instruction: `${from}If it was not you, choose a new password now, and sign out all devices:`,
    action: 'Choose a new password',
    link: `${appUrl}/forgot-password`,
    footnote: 'If it was you, there is nothing to do.',
  });
}

/** Tells the account owner that every session has ended because a token was replayed. */
export function replayMail(to: string, link: string): Mail {
  return linkMail({
    to,
    subject: 'You were signed out on every device',
    greeting: 'Someone used an old sign-in of yours, so every session was ended',
    instruction:
      'This happens when a sign-in is copied, and sometimes when a device that you signed out tries to go on. Sign in again; if you do not know why this happened, choose a new password:',
    action: 'Choose a new password',
    link,
    footnote: 'Your account and your files are unchanged.',
  });
}
