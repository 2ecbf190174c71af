import { webhookRetentionDays } from '@atelier/contract';
import type { Mail } from '../../ports/mailer.ts';
import { linkMail } from '../mails.ts';
import { quoted } from '../quoted.ts';

/** Tells an administrator that an endpoint fails, or is disabled. */
export function webhookMail({
  to,
  organizationName,
  host,
  about,
  link,
}: {
  to: string;
  organizationName: string;
  host: string;
  about: 'FAILING' | 'DISABLED';
  link: string;
}): Mail {
  const organization = quoted(organizationName);
  const isDisabled = about === 'DISABLED';
  return linkMail({
    to,
    subject: isDisabled
      ? `A webhook of ${organization} is disabled`
      : `A webhook of ${organization} fails`,
    greeting: isDisabled
      ? `Nothing is sent any more to the webhook of ${organization} at ${quoted(host)}`
      : `The last ten messages to the webhook of ${organization} at ${quoted(host)} failed`,
    instruction: isDisabled
      ? `What happens is kept for ${webhookRetentionDays} days and sent when you enable the webhook again:`
      : 'We go on trying. After five days without a success the webhook is disabled:',
    action: 'Open the organization',
    link,
    footnote: 'You get this mail because you are an administrator of the organization.',
  });
}
