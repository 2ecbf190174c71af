import { createSmtpMailer } from '../adapters/smtp.ts';
import type { Deps } from '../deps.ts';
import { connectDatabase, responseTimeoutMsOf } from '../db/client.ts';
import type { Config } from '../config.ts';
import { directDatabaseUrl, ownerDatabaseUrl } from '../db/addresses.ts';
import type { AsOwner } from './keep-activities/keep-activities.ts';
import { jobHandlers } from './handlers.ts';
import { startJobRunner, type JobRunner } from './runner.ts';

/** Runs jobs in this process until stopped. */
export async function startJobs(deps: Deps): Promise<JobRunner> {
  const { config, db, scopes, clock, store, pictures, log, telemetry } = deps;
  const mailer = createSmtpMailer({ url: config.SMTP_URL, from: config.MAIL_FROM });
  const handlers = jobHandlers({
    db,
    clock,
    mailer,
    store,
    pictures,
    log,
    appUrl: config.APP_URL,
    asOwner: ownerOf(config),
    activityRetentionMonths: config.ACTIVITY_RETENTION_MONTHS ?? null,
  });
  const runner = await startJobRunner({
    databaseUrl: directDatabaseUrl(config),
    responseTimeoutMs: responseTimeoutMsOf(config.DATABASE_STATEMENT_TIMEOUT_MS),
    db,
    scopes,
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

function ownerOf(config: Config): AsOwner {
  return async (work) => {
    const { db, close } = connectDatabase({
      url: ownerDatabaseUrl(config),
      maxConnections: 1,
      statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
    });
    try {
      return await work(db);
    } finally {
      await close(2);
    }
  };
}
