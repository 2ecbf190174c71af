import { isMailedAtOnce } from '../../domain/notification-preferences/preferences.ts';
import { findPreferences } from '../../domain/notification-preferences/queries.ts';
import { displayNameOf } from '../../domain/person-view/present-user.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { JobDeps } from '../job-deps.ts';
import { toAdministrators } from '../administrators.ts';
import { apiKeyMail } from './mails.ts';
import { findNoticed, findOrganizationName } from './queries.ts';

/** Mails what happens to an API key, unless its account is gone. Nothing is mailed to a service account. */
export async function sendApiKeyNotice(
  { db, mailer, appUrl }: Pick<JobDeps, 'db' | 'mailer' | 'appUrl'>,
  job: Jobs['send_api_key_notice'],
): Promise<void> {
  const { apiKeyId, notice, organizationId, network } = job;
  const found = await findNoticed(db, apiKeyId);
  if (!found) return;
  const organization = organizationId ? await findOrganizationName(db, organizationId) : null;
  const about = { name: found.name, organization, network: network ?? null };
  if (found.kind === 'PERSONAL') {
    if (isExpiry(notice) && !(await wantsMail(db, found))) return;
    const link = `${appUrl}/settings/api-keys`;
    const key = { ...about, serviceAccount: null };
    await mailer.send(apiKeyMail(key, notice, { to: found.account.email, link }));
    return;
  }
  if (found.serviceOf === null) return;
  const key = { ...about, serviceAccount: displayNameOf(found.account) };
  const link = `${appUrl}/settings/service-accounts`;
  await toAdministrators(db, found.serviceOf, {
    name: 'send_api_key_notice',
    notice: job,
    send: ({ email }) => mailer.send(apiKeyMail(key, notice, { to: email, link })),
  });
}

/** What is not about the security of the key: its person chooses whether to get mail. */
function isExpiry(notice: Jobs['send_api_key_notice']['notice']): boolean {
  return notice === 'WEEK' || notice === 'DAY' || notice === 'EXPIRED';
}

async function wantsMail(
  db: JobDeps['db'],
  { userId, personalId }: { userId: string; personalId: string | null },
): Promise<boolean> {
  if (personalId === null) return true;
  const preferences = await findPreferences(db, userId);
  return isMailedAtOnce(preferences, 'integration_failing', personalId);
}
