import type { Client } from './api.ts';
import { open } from './call.ts';
import { TransportError } from './errors.ts';
import { messagesOf } from './event-stream.ts';
import type { LiveMessage } from './generated/types.ts';
import { backoffMs, isTransient, sleep } from './waiting.ts';

export interface SubscribeOptions {
  /** Organization to hear from; default: the one of the client. */
  organizationId?: string | null | undefined;
  /** Goes on after the message with this id; default: begins now. */
  lastEventId?: string | undefined;
  /** Ends the subscription, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A message with its id, to go on from later; null where there is none. */
export type LiveUpdate = LiveMessage & { readonly id: string | null };

/** The service sends a sign of life every 15 s; after this long without one the connection is dead. */
const longestSilenceMs = 45_000;
/** Longest `Retry-After` that is waited for, in milliseconds. */
const longestRetryAfterMs = 120_000;

/**
 * Tells of changes in an organization while they happen, across lost connections and expired tokens:
 * every change once. After a `reset` some are missing and everything shown has to be read again. Ends
 * after a `closed`, which only comes when connecting again would be in vain.
 *
 * @throws ApiError when the service refuses, TransportError when the session has expired
 */
export async function* subscribe(
  api: Client,
  { organizationId, lastEventId, signal }: SubscribeOptions = {},
): AsyncGenerator<LiveUpdate, void, undefined> {
  let lastId = lastEventId;
  let attempt = 0;
  for (;;) {
    signal?.throwIfAborted();
    const connection = connectionUntil(signal);
    let waitMs = 0;
    try {
      const response = await connect(connection.signal);
      waitMs = retryAfterMsOf(response);
      if (response.ok && response.body) {
        for await (const message of messagesOf(response.body, connection.isAlive)) {
          attempt = 0;
          lastId = message.id ?? lastId;
          const update = updateOf(message);
          if (update && isForReader(update)) yield update;
          if (update?.event === 'closed' && isFinal(update)) return;
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isWorthAnother(error) && !connection.signal.aborted) throw error;
    } finally {
      connection.end();
    }
    await sleep(waitMs + backoffMs(attempt++), signal);
  }

  /** @throws ApiError for a refusal that would be the same the next time */
  async function connect(until: AbortSignal): Promise<Response> {
    const headers = lastId === undefined ? {} : { 'last-event-id': lastId };
    const options = { organizationId, headers, signal: until, maxRetries: 0 };
    const response = await api.events.subscribe({}, options).raw();
    const { ok, status } = response;
    if (!ok && !isTransient(status) && status < 500) {
      open(
        { response, text: await response.text(), sent: new Headers() },
        { id: 'events.subscribe' },
      );
    }
    return response;
  }
}

/** A signal for one connection, aborted by the reader's or after too long a silence. */
function connectionUntil(signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal?.addEventListener('abort', stop);
  return {
    signal: controller.signal,
    isAlive() {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), longestSilenceMs);
    },
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      controller.abort();
    },
  };
}

/** Null for a message of a kind that this version doesn't know. */
function updateOf({ event, data, id }: { event: string; data: string; id: string | null }) {
  if (!['ready', 'activity', 'reset', 'closed'].includes(event)) return null;
  const parsed: unknown = JSON.parse(data);
  // The service's own message: checked by its contract, not once more here.
  return { event, data: parsed, id } as LiveUpdate;
}

function isFinal(update: LiveUpdate & { event: 'closed' }): boolean {
  return ['session_ended', 'access_ended'].includes(update.data.reason);
}

function isForReader(update: LiveUpdate): boolean {
  return update.event !== 'closed' || isFinal(update);
}

/** A connection that broke, or was never there. */
function isWorthAnother(error: unknown): boolean {
  if (error instanceof TransportError) return error.kind !== 'session_expired';
  // What a body that breaks off throws.
  return error instanceof TypeError;
}

function retryAfterMsOf({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after'));
  return Math.min(longestRetryAfterMs, (seconds || 0) * 1000);
}
