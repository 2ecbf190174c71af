import type { Jobs } from '../../ports/jobs.ts';
import type { Mail } from '../../ports/mailer.ts';
import { linkMail } from '../mails.ts';
import { cameFrom } from '../origin.ts';
import { signInMail, type SignInNotice } from './sign-in-mail.ts';

type Notice = Jobs['send_security_notice'];

interface Text {
  readonly subject: string;
  /** What happened, without a full stop. */
  readonly event: string;
}

const texts: Readonly<Record<Exclude<Notice['about'], SignInNotice>, Text>> = {
  PASSWORD_CHANGED: {
    subject: 'Your password was changed',
    event: 'The password of your Atelier account was changed',
  },
  PASSWORD_RESET: {
    subject: 'You have a new password',
    event:
      'The password of your Atelier account was reset with a link from this mailbox, and all its sessions were ended',
  },
  EMAIL_CHANGE_REQUESTED: {
    subject: 'Another email was requested',
    event:
      'Another email was requested for your Atelier account. Nothing changes until a link in that mailbox is opened',
  },
  IDENTITY_ADDED: {
    subject: 'A sign-in provider was connected',
    event:
      'A provider that knows this address was connected, and can sign in to your Atelier account',
  },
  IDENTITY_REMOVED: {
    subject: 'A sign-in provider was disconnected',
    event: 'A provider no longer signs in to your Atelier account',
  },
  PASSKEY_ADDED: {
    subject: 'A passkey was added',
    event: 'A passkey was added to your Atelier account, and can sign in to it',
  },
  PASSKEY_REMOVED: {
    subject: 'A passkey was removed',
    event: 'A passkey of your Atelier account was removed, and opens it no longer',
  },
  PASSKEY_COPIED: {
    subject: 'A passkey may have been copied',
    event:
      'A passkey of your Atelier account was refused, because it counts its uses and has counted too few: there may be a copy of it',
  },
  PASSKEY_LIMIT: {
    subject: 'A passkey was refused several times',
    event: 'Wrong responses of a passkey of your Atelier account were sent several times',
  },
  TOTP_ENABLED: {
    subject: 'One-time codes were turned on',
    event: 'Signing in to your Atelier account now takes a code of your authenticator app',
  },
  TOTP_DISABLED: {
    subject: 'One-time codes were turned off',
    event: 'Signing in to your Atelier account takes no code any more',
  },
  RECOVERY_CODES_RENEWED: {
    subject: 'Your recovery codes were replaced',
    event: 'Your Atelier account has new recovery codes, and the old ones no longer work',
  },
  RECOVERY_CODE_USED: {
    subject: 'A recovery code was used',
    event: 'A recovery code of your Atelier account was used, and no longer works',
  },
  SECOND_FACTOR_RESET: {
    subject: 'Your second factor was removed',
    event:
      'An operator of the service removed the second factor of your Atelier account and ended its sessions',
  },
  SECOND_FACTOR_LIMIT: {
    subject: 'Someone knows your password',
    event:
      'Your Atelier account was opened with the right password, but with a wrong second factor several times',
  },
};

/** Tells a person what has changed about the protection of the account, or that it was signed in to. */
export function securityNoticeMail(
  to: string,
  { about, origin, at }: Omit<Notice, 'userId'>,
  appUrl: string,
): Mail {
  if (about === 'SIGN_IN' || about === 'NEW_SIGN_IN') {
    return signInMail(to, about, { origin, at, link: `${appUrl}/settings/security` });
  }
  const { subject, event } = texts[about];
  const from = origin ? cameFrom(origin) : '';
  return linkMail({
    to,
    subject,
    greeting: event,
    instruction: `${from}If it was not you, choose a new password now, and sign out all devices:`,
    action: 'Choose a new password',
    link: `${appUrl}/forgot-password`,
    footnote: 'If it was you, there is nothing to do.',
  });
}
