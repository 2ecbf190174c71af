import type { Jobs } from '../../ports/jobs.ts';
import type { Mail } from '../../ports/mailer.ts';
import { linkMail } from '../mails.ts';
import { quoted } from '../quoted.ts';

type Notice = Jobs['send_api_key_notice']['notice'];

/** What the mail is about. */
export interface NoticedKey {
  readonly name: string;
  /** Name of the service account that it acts as; null for a key of the recipient. */
  readonly serviceAccount: string | null;
  /** Name of the organization that excluded it. */
  readonly organization: string | null;
  /** The network that it was used from for the first time. */
  readonly network: string | null;
}

interface Text {
  /** Follows “An API key of yours”, or “of a service account”. */
  readonly subject: string;
  /** Follows the name of the key. */
  readonly event: string;
  readonly instruction: string;
}

const replaceIt = 'Replace it before then, so that your programs keep working:';

function textOf(notice: Notice, { organization, network }: NoticedKey): Text {
  switch (notice) {
    case 'LEAKED':
      return {
        subject: 'was ended',
        event: 'was found where others can read it, and no longer works',
        instruction:
          'The key was reported. Create another one, and check what was done with this one:',
      };
    case 'WEEK':
      return {
        subject: 'ends within a week',
        event: 'ends within a week',
        instruction: replaceIt,
      };
    case 'DAY':
      return { subject: 'ends within a day', event: 'ends within a day', instruction: replaceIt };
    case 'EXPIRED':
      return {
        subject: 'has ended',
        event: 'has ended',
        instruction: 'Programs that use it are refused. Create another one if you need it:',
      };
    case 'EXCLUDED':
      return {
        subject: 'was excluded from an organization',
        event: `no longer reaches ${quoted(organization ?? 'an organization')}`,
        instruction:
          'An administrator excluded it. It keeps working in its other organizations. See your keys:',
      };
    case 'NEW_NETWORK':
      return {
        subject: 'was used from a new network',
        event: `was used from ${network ?? 'a new network'} for the first time`,
        instruction: 'If nothing of yours works there, revoke the key:',
      };
  }
}

/** Tells about an API key: its person, or an administrator of its service account. */
export function apiKeyMail(
  key: NoticedKey,
  notice: Notice,
  { to, link }: { to: string; link: string },
): Mail {
  const { subject, event, instruction } = textOf(notice, key);
  const name = `“${quoted(key.name)}”`;
  const isOwn = key.serviceAccount === null;
  return linkMail({
    to,
    subject: `An API key of ${isOwn ? 'yours' : 'a service account'} ${subject}`,
    greeting: isOwn
      ? `Your API key ${name} ${event}`
      : `The API key ${name} of the service account “${quoted(key.serviceAccount)}” ${event}`,
    instruction,
    action: 'Open Atelier',
    link,
    footnote: isOwn
      ? 'You get this mail because the key acts as your account.'
      : 'You get this mail because you administer its organization.',
  });
}
