import { isMailedAtOnce } from '../../domain/notification-preferences/preferences.ts';
import { findPreferencesOf } from '../../domain/notification-preferences/queries.ts';
import type { JobDeps } from '../job-deps.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { webhookMail } from './mails.ts';
import { administratorsOf } from '../queries.ts';
import { findHost } from './queries.ts';

/** Mails the administrators of an organization who want that about an endpoint, unless it is gone. */
export async function sendWebhookNotice(
  { db, mailer, appUrl }: Pick<JobDeps, 'db' | 'mailer' | 'appUrl'>,
  { organizationId, webhookId, about }: Jobs['send_webhook_notice'],
): Promise<void> {
  const host = await findHost(db, { organizationId, webhookId });
  if (host === null) return;
  const link = `${appUrl}/organization`;
  const administrators = await administratorsOf(db, organizationId);
  const preferences = await findPreferencesOf(
    db,
    administrators.map(({ id }) => id),
  );
  for (const { id, email, organizationName } of administrators) {
    const wanted = preferences.get(id);
    if (!wanted || !isMailedAtOnce(wanted, 'integration_failing', organizationId)) continue;
    await mailer.send(webhookMail({ to: email, organizationName, host, about, link }));
  }
}
