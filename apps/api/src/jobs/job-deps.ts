import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/executor.ts';
import type { UnsubscribeTokens } from '../kernel/unsubscribe-tokens.ts';
import type { Clock } from '../ports/clock.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { ObjectStore } from '../ports/object-store.ts';
import type { OutboundHttp } from '../ports/outbound-http.ts';
import type { TotpSecrets } from '../domain/second-factor/totp-secrets.ts';
import type { ShareTokens } from '../domain/shares/tokens.ts';
import type { WebhookSecrets } from '../domain/webhooks/secrets.ts';
import type { Pictures } from '../ports/pictures.ts';
import type { AsOwner } from './keep-activities/keep-activities.ts';

/** The dependencies of jobs: fewer than a feature's. */
export interface JobDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly store: ObjectStore;
  readonly outbound: OutboundHttp;
  readonly webhookSecrets: WebhookSecrets;
  readonly totpSecrets: TotpSecrets;
  readonly shareTokens: ShareTokens;
  readonly pictures: Pictures;
  readonly log: FastifyBaseLogger;
  /** Base URL of links in mails, without a trailing slash. */
  readonly appUrl: string;
  /** Base URL of the API, without a trailing slash. */
  readonly apiUrl: string;
  readonly unsubscribeTokens: UnsubscribeTokens;
  /** `null` = no expiry. */
  readonly activityRetentionMonths: number | null;
  /** Connects as the owner of the tables, which alone may drop partitions. */
  readonly asOwner: AsOwner;
}
