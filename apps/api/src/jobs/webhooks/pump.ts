import { isSending, type WebhookKey } from '../../domain/webhooks/endpoint.ts';
import { pace } from '../../domain/webhooks/pace.ts';
import { enqueuePump } from '../../domain/webhooks/queries.ts';
import type { WebhookSecrets } from '../../domain/webhooks/secrets.ts';
import type { Database, Transaction } from '../../db/executor.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OutboundHttp } from '../../ports/outbound-http.ts';
import type { Slot, Slots } from './slots.ts';
import { disable } from './health.ts';
import {
  claim,
  countClaimed,
  duePending,
  firstPending,
  lockWebhook,
  nextDue,
  nextInOrder,
  nextInPace,
  type LockedWebhook,
} from './queries.ts';
import { sendBatch, timeoutMs } from './sending.ts';

export interface PumpDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbound: OutboundHttp;
  readonly webhookSecrets: WebhookSecrets;
  readonly slots: Slots;
}

/** The smallest batch that is claimed: it is sent within its lease, even if each message takes as long as it may. */
const fewestClaimed = 10;
/** The same of a receiver that is fast. What it wouldn't take any more is given back. */
const maxClaimed = 80;
/** A batch that takes less is followed by a larger one. */
const fastBatchMs = 1_000;
const leaseSeconds = 60;
/** After which an endpoint with more to send waits again, behind the others. */
const turnMs = 10_000;
/** When an endpoint asks again that got no slot, or whose messages another process has claimed. */
const askAgainAfterSeconds = 1;
/** When an endpoint continues that others of its organization wait for: after they have asked again. */
const giveWaySeconds = 2;

/**
 * Sends the messages of an endpoint that are due. A message is in the hands of one process for a minute; if that dies,
 * another one sends it again, with the same id.
 *
 * @see docs/decisions/0072-webhooks.md
 */
export async function pumpWebhook(
  deps: PumpDeps,
  key: WebhookKey,
  signal: AbortSignal,
): Promise<void> {
  const slot = deps.slots.take(key);
  if (!slot) {
    await deps.db.transaction((tx) => enqueuePump(tx, key, askAgainAfterSeconds));
    return;
  }
  try {
    await takeTurn(deps, { key, slot }, signal);
    await enqueueNext(deps, key, slot);
  } finally {
    slot.release();
  }
}

async function takeTurn(
  deps: PumpDeps,
  { key, slot }: { key: WebhookKey; slot: Slot },
  signal: AbortSignal,
): Promise<void> {
  const endsAt = performance.now() + turnMs;
  let most = fewestClaimed;
  while (!signal.aborted) {
    const startedMs = performance.now();
    const sendUntilMs = startedMs + leaseSeconds * 1_000 - timeoutMs;
    const taken = await deps.db.transaction((tx) => take(deps, tx, { key, most }));
    if (taken === null || taken.claim.deliveries.length === 0) return;
    const { hasFailed, isSlow } = await sendBatch(deps, {
      ...taken,
      key,
      sendUntilMs,
      signal,
    });
    slot.noteSlow(isSlow);
    const isFast = !hasFailed && performance.now() - startedMs < fastBatchMs;
    most = isFast ? Math.min(2 * most, maxClaimed) : fewestClaimed;
    // From its next turn on a slow one counts as such.
    if (isSlow || performance.now() > endsAt) return;
  }
}

async function take(
  { clock, webhookSecrets }: PumpDeps,
  tx: Transaction,
  { key, most }: { key: WebhookKey; most: number },
) {
  const webhook = await lockWebhook(tx, key);
  if (!webhook || !isSending(webhook)) return null;
  const now = clock.now();
  const signers = webhookSecrets.signersOf(webhook, now);
  if (!signers) {
    await disable(tx, webhook, { reason: 'SECRET_UNREADABLE', now });
    return null;
  }
  const ids = await nextIds(tx, webhook, { now, most });
  return { webhook, signers, claim: await claim(tx, key, { ids, leaseSeconds }) };
}

async function nextIds(
  tx: Transaction,
  webhook: LockedWebhook,
  { now, most }: { now: Date; most: number },
) {
  const key = { organizationId: webhook.organizationId, webhookId: webhook.id };
  const claimed = await countClaimed(tx, key);
  if (webhook.ordering === 'STRICT') {
    // One alone: of several that nothing was noted of, the first ones would be sent again after later ones.
    const first = claimed === 0 ? await firstPending(tx, key) : null;
    return first?.nextAttemptAt && first.nextAttemptAt <= now ? [first.id] : [];
  }
  const limit = Math.max(0, most - claimed);
  if (limit === 0) return [];
  return duePending(tx, key, { now, limit, before: await paced(tx, webhook, now) });
}

/**
 * Where an endpoint that was enabled a minute ago at most has to wait: what comes after may be due as well, until its times
 * are set.
 *
 * @returns the number of a message; null if there is none to wait for
 */
async function paced(tx: Transaction, webhook: LockedWebhook, now: Date): Promise<number | null> {
  const { organizationId, id: webhookId, updatedAt } = webhook;
  if (now.getTime() - updatedAt.getTime() > pace.firstSeconds * 1_000) return null;
  return nextInPace(tx, { organizationId, webhookId }, now);
}

/** Enqueues the next turn, for when something is due. */
async function enqueueNext({ db, clock }: PumpDeps, key: WebhookKey, slot: Slot): Promise<void> {
  await db.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, key);
    if (!webhook || !isSending(webhook)) return;
    const now = clock.now();
    const seconds =
      webhook.ordering === 'STRICT'
        ? await nextInOrder(tx, key, now)
        : await nextDue(tx, key, { now, upTo: await paced(tx, webhook, now) });
    if (seconds === null) return;
    // Another process has messages in hand: what is due may have to wait for those.
    const pause = (await countClaimed(tx, key)) > 0 ? askAgainAfterSeconds : 0;
    await enqueuePump(tx, key, Math.max(slot.isContended ? giveWaySeconds : 0, pause, seconds));
  });
}
