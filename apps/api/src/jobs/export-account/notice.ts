import { expiryOf } from '../../domain/account-exports/times.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { JobDeps } from '../job-deps.ts';
import { exportMail } from './mails.ts';
import { findReadyExport } from './queries.ts';

/** Mails that an export can be downloaded, unless it is gone by now. */
export async function sendExportNotice(
  { db, clock, mailer, appUrl }: Pick<JobDeps, 'db' | 'clock' | 'mailer' | 'appUrl'>,
  { exportId, origin }: Jobs['send_export_notice'],
): Promise<void> {
  const ready = await findReadyExport(db, exportId);
  if (!ready) return;
  const until = expiryOf(ready.readyAt);
  if (until <= clock.now()) return;
  const link = `${appUrl}/settings/security`;
  await mailer.send(exportMail(ready.email, { link, until, origin }));
}
