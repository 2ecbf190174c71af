import { createSmtpMailer } from '../adapters/smtp.ts';
import type { Deps } from '../deps.ts';
import { directDatabaseUrl } from '../process.ts';
import { jobHandlers } from './handlers.ts';
import { startJobRunner, type JobRunner } from './runner.ts';

/** Runs jobs in this process until stopped. */
export async function startJobs(deps: Deps): Promise<JobRunner> {
  const { config, db, clock, store, pictures, log, telemetry } = deps;
  const mailer = createSmtpMailer({ url: config.SMTP_URL, from: config.MAIL_FROM });
  const handlers = jobHandlers({
    db,
    clock,
    mailer,
    store,
    pictures,
    log,
    appUrl: config.APP_URL,
    activityRetentionMonths: config.ACTIVITY_RETENTION_MONTHS ?? null,
  });
  const runner = await startJobRunner({
    databaseUrl: directDatabaseUrl(config),
    db,
    handlers: telemetry?.observeJobs(handlers) ?? handlers,
    log,
    leaseSeconds: config.JOB_LEASE_SECONDS,
  });
  return {
    async stop() {
      await runner.stop();
      mailer.close();
    },
  };
}
