import type { Jobs, RequestOrigin } from '../../ports/jobs.ts';
import type { Mail } from '../../ports/mailer.ts';
import { accountEvents } from '../../domain/notifications/account-events.ts';
import { dayAndTime, linkMail } from '../mails.ts';
import { cameFrom } from '../origin.ts';

export type SignInNotice = Extract<
  Jobs['send_security_notice']['about'],
  'SIGN_IN' | 'NEW_SIGN_IN'
>;

interface Text {
  readonly greeting: string;
  readonly footnote: string;
}

const texts: Readonly<Record<SignInNotice, Text>> = {
  NEW_SIGN_IN: {
    greeting: 'Your Atelier account was signed in to from a new device or network',
    footnote: 'If it was you, there is nothing to do.',
  },
  SIGN_IN: {
    greeting: 'Your Atelier account was signed in to',
    footnote:
      'If it was you, there is nothing to do. You get a mail about each sign-in because your settings ask for it.',
  },
};

/** Tells a person that their account was signed in to, and where to end the session. */
export function signInMail(
  to: string,
  about: SignInNotice,
  signIn: { origin: RequestOrigin | null; at: string | undefined; link: string },
): Mail {
  const { origin, at, link } = signIn;
  const when = at === undefined ? '' : `It was on ${dayAndTime.format(new Date(at))} UTC. `;
  const from = origin ? cameFrom(origin) : '';
  return linkMail({
    to,
    subject: accountEvents[about],
    ...texts[about],
    instruction: `${when}${from}If it was not you, end that session on this page, and change your password:`,
    action: 'Check your sessions',
    link,
  });
}
