import pLimit from 'p-limit';
import { isSending, type WebhookKey } from '../../domain/webhooks/endpoint.ts';
import { messageIdOf } from '../../domain/webhooks/message.ts';
import { signaturesOf, type Signers } from '../../domain/webhooks/secrets.ts';
import type { Database } from '../../db/executor.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OutboundHttp } from '../../ports/outbound-http.ts';
import { gather } from './gathered.ts';
import { noteHealth } from './health.ts';
import { nextAttemptAt, outcomeOf, type Outcome } from './policy.ts';
import {
  lockWebhook,
  noteAttempts,
  release,
  type Claim,
  type ClaimedDelivery,
  type LockedWebhook,
} from './queries.ts';

/** Messages to one endpoint at the same time. */
const maxAtOnce = 5;
export const timeoutMs = 15_000;
/** A receiver that takes longer is slow. */
const slowMs = 3_000;
const maxResponseBytes = 16 * 1024;

interface SendDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbound: OutboundHttp;
}

/** Messages of one endpoint that this process has in hand. */
export interface Batch {
  readonly webhook: LockedWebhook;
  readonly signers: Signers;
  readonly key: WebhookKey;
  readonly claim: Claim;
  /** By the monotonic clock. */
  readonly sendUntilMs: number;
  /** Aborts when the process stops. */
  readonly signal: AbortSignal;
}

/** What a batch tells about its receiver. */
export interface BatchEnd {
  readonly hasFailed: boolean;
  /** Whether a message took long. */
  readonly isSlow: boolean;
}

interface Noted {
  readonly delivery: ClaimedDelivery;
  readonly outcome: Outcome;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly durationMs: number;
  readonly isSlow: boolean;
}

/**
 * Sends messages and notes what came of them, those together that end together. A failure ends the batch, and so does an
 * endpoint that is slow, paused, moved or gone: what was not sent is given back.
 */
export async function sendBatch(deps: SendDeps, batch: Batch): Promise<BatchEnd> {
  const { key, claim } = batch;
  const limit = pLimit(maxAtOnce);
  let isEnded = false;
  let [hasFailed, isSlow] = [false, false];
  const end = () => void (isEnded = true);
  const notes = gather<Noted>(async (noted) => {
    if (!(await note(deps, batch, noted))) end();
  }, end);
  const unsent: string[] = [];
  await Promise.all(
    claim.deliveries.map((delivery) =>
      limit(async () => {
        if (isEnded || batch.signal.aborted) return void unsent.push(delivery.id);
        // After a stop of the process, as when its machine is moved, another one has it in hand and may be ahead.
        if (performance.now() > batch.sendUntilMs) return;
        const noted = await attempt(deps, batch, delivery);
        hasFailed ||= !noted.outcome.isSuccess;
        isSlow ||= noted.isSlow;
        if (hasFailed || isSlow) end();
        notes.add(noted);
      }),
    ),
  );
  await notes.done();
  if (unsent.length > 0) await release(deps.db, key, { ...claim, ids: unsent });
  return { hasFailed, isSlow };
}

async function attempt(
  { clock, outbound }: SendDeps,
  { webhook, signers }: Batch,
  delivery: ClaimedDelivery,
): Promise<Noted> {
  const startedAt = clock.now();
  const id = messageIdOf(delivery.eventId);
  const timestamp = Math.floor(startedAt.getTime() / 1_000);
  const startedMs = performance.now();
  const result = await outbound.send({
    method: 'POST',
    url: webhook.url,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Atelier-Webhooks/1.0',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signaturesOf(signers, { id, timestamp, body: delivery.body }),
    },
    body: delivery.body,
    timeoutMs,
    maxResponseBytes,
  });
  const endedAt = clock.now();
  const outcome = outcomeOf(result, endedAt);
  // The time would tell of the operator's network.
  const isSilent = outcome.error === 'address_refused' || outcome.error === 'dns';
  const tookMs = performance.now() - startedMs;
  const durationMs = isSilent ? 0 : Math.round(tookMs);
  return { delivery, outcome, startedAt, endedAt, durationMs, isSlow: tookMs > slowMs };
}

/** @returns whether the endpoint still takes messages, at the address that the batch has */
async function note(
  { db }: SendDeps,
  { key, webhook: { url } }: Batch,
  noted: readonly Noted[],
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, key);
    const kept = await noteAttempts(tx, key, noted.map(attemptOf));
    if (!webhook) return false;
    const results = noted
      .filter(({ delivery }) => kept.has(delivery.id))
      .map(({ outcome, endedAt }) => ({ outcome, at: endedAt }));
    const status = await noteHealth(tx, webhook, results);
    return webhook.url === url && isSending(status);
  });
}

function attemptOf({ delivery, outcome, startedAt, endedAt, durationMs }: Noted) {
  const number = delivery.attemptCount + 1;
  const { isSuccess, retryAfterMs, status, error, excerpt } = outcome;
  const next = isSuccess
    ? null
    : nextAttemptAt(number, { retryAfterMs, now: endedAt, random: Math.random() });
  return {
    deliveryId: delivery.id,
    number,
    startedAt,
    durationMs,
    responseStatus: status,
    error,
    responseExcerpt: excerpt,
    status: isSuccess ? ('DELIVERED' as const) : next ? ('PENDING' as const) : ('FAILED' as const),
    nextAttemptAt: next,
    deliveredAt: isSuccess ? endedAt : null,
  };
}
