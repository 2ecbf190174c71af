import type { JobDeps } from '../job-deps.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { webhookMail } from './mails.ts';
import { administratorsOf } from '../queries.ts';
import { findHost } from './queries.ts';

/** Mails the administrators of an organization about an endpoint, unless it is gone. */
export async function sendWebhookNotice(
  { db, mailer, appUrl }: Pick<JobDeps, 'db' | 'mailer' | 'appUrl'>,
  { organizationId, webhookId, about }: Jobs['send_webhook_notice'],
): Promise<void> {
  const host = await findHost(db, { organizationId, webhookId });
  if (host === null) return;
  const link = `${appUrl}/organization`;
  for (const { email, organizationName } of await administratorsOf(db, organizationId)) {
    await mailer.send(webhookMail({ to: email, organizationName, host, about, link }));
  }
}
