import { isMailedAtOnce } from '../../domain/notification-preferences/preferences.ts';
import { findPreferences } from '../../domain/notification-preferences/queries.ts';
import type { JobDeps } from '../job-deps.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { webhookMail } from './mails.ts';
import { toAdministrators } from '../administrators.ts';
import { findHost } from './queries.ts';

/** Mails the administrators of an organization who want that about an endpoint, unless it is gone. */
export async function sendWebhookNotice(
  { db, mailer, appUrl }: Pick<JobDeps, 'db' | 'mailer' | 'appUrl'>,
  notice: Jobs['send_webhook_notice'],
): Promise<void> {
  const { organizationId, webhookId, about } = notice;
  const host = await findHost(db, { organizationId, webhookId });
  if (host === null) return;
  const link = `${appUrl}/organization`;
  await toAdministrators(db, organizationId, {
    name: 'send_webhook_notice',
    notice,
    async send({ id, email, organizationName }) {
      const wanted = await findPreferences(db, id);
      if (!isMailedAtOnce(wanted, 'integration_failing', organizationId)) return;
      await mailer.send(webhookMail({ to: email, organizationName, host, about, link }));
    },
  });
}
