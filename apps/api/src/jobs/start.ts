import { createSmtpMailer } from '../adapters/smtp.ts';
import type { Deps } from '../deps.ts';
import { connectDatabase, responseTimeoutMsOf } from '../db/client.ts';
import { createUnsubscribeTokens } from '../kernel/unsubscribe-tokens.ts';
import type { Config } from '../config.ts';
import { directDatabaseUrl, ownerDatabaseUrl } from '../db/addresses.ts';
import type { AsOwner } from './keep-activities/keep-activities.ts';
import { shareTokens } from '../domain/shares/tokens.ts';
import { totpSecrets } from '../domain/second-factor/totp-secrets.ts';
import { webhookSecrets } from '../domain/webhooks/secrets.ts';
import { startFollower } from './follow/follow.ts';
import { startOutbox } from './outbox/outbox.ts';
import { notifyMembers } from './notifications/consumer.ts';
import { keepSearchIndex } from './search/consumer.ts';
import { fanOut } from './webhooks/consumer.ts';
import { jobHandlers } from './handlers.ts';
import { schedule, startJobRunner, type JobRunner } from './runner.ts';

/** The part of `SHUTDOWN_TIMEOUT_MS` for running jobs to finish. In the API they begin to stop after three quarters of it at most. */
const finishingPart = 1 / 8;

/**
 * Starts the background work of this process, until stopped: the runner of the queue, the follower of activities with its
 * consumers, and the mover of outgoing jobs.
 */
export async function startJobs(
  deps: Deps,
  scheduled: readonly string[] = schedule,
): Promise<JobRunner> {
  const { config, db, quickDb, scopes, clock, store, pictures, keys, log, telemetry } = deps;
  const { isDistributed, listenToChanges } = deps;
  const mailer = createSmtpMailer({ url: config.SMTP_URL, from: config.MAIL_FROM });
  const secrets = webhookSecrets(keys);
  const handlers = jobHandlers({
    db,
    clock,
    mailer,
    store,
    outbound: deps.outbound,
    webhookSecrets: secrets,
    totpSecrets: totpSecrets(keys),
    shareTokens: shareTokens(keys),
    pictures,
    log,
    appUrl: config.APP_URL,
    apiUrl: config.BASE_URL,
    unsubscribeTokens: createUnsubscribeTokens(keys.unsubscribing),
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
    abortAfterMs: config.SHUTDOWN_TIMEOUT_MS * finishingPart,
    schedule: scheduled,
  });
  const follower = startFollower({
    db,
    scopes,
    clock,
    log,
    listenToChanges,
    consumers: [fanOut({ clock }), notifyMembers({ clock }), keepSearchIndex()],
  });
  const outbox = startOutbox({ db, quickDb, scopes, log, isDistributed, listenToChanges });
  return {
    async stop() {
      await follower.stop();
      await outbox.stop();
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
