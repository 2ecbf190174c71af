import type { Client } from './api.ts';
import { open } from './call.ts';
import { ApiError, TransportError } from './errors.ts';
import { messagesOf, type StreamMessage } from './event-stream.ts';
import type { LiveMessage } from './generated/types.ts';
import { backoffMs, isTransient, sleep } from './waiting.ts';

export interface SubscribeOptions {
  /** Organization to subscribe to; default: that of the client. */
  organizationId?: string | null | undefined;
  /** Resumes after the message with this id; default: starts now. */
  lastEventId?: string | undefined;
  /** Ends the subscription, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A message with its id, from which to resume later; null if it has none. */
export type LiveUpdate = LiveMessage & { readonly id: string | null };

/** The service sends a heartbeat every 15 s; after this silence the connection is dead. */
const maxSilenceMs = 45_000;
/** A connection that lasted this long was no failure: the next wait is short. */
const steadyMs = 10_000;
/** Maximum `Retry-After` to wait for, in milliseconds. */
const maxRetryAfterMs = 120_000;

/**
 * Streams the changes of an organization, each exactly once, across lost connections and expired tokens. After
 * a `reset`, changes are missing: read again whatever you show. Ends after a `closed`, which only arrives when
 * reconnecting can't help.
 *
 * @throws ApiError when the service rejects the subscription, TransportError when the session has expired
 */
export async function* subscribe(
  api: Client,
  {
    // Another one may be selected before it reconnects.
    organizationId = api.session.getOrganizationId(),
    lastEventId,
    signal,
  }: SubscribeOptions = {},
): AsyncGenerator<LiveUpdate, void, undefined> {
  let lastId = lastEventId;
  let attempt = 0;
  for (;;) {
    signal?.throwIfAborted();
    const connection = connectionUntil(signal);
    const startedAt = performance.now();
    let waitMs = 0;
    try {
      const response = await connect(connection);
      waitMs = retryAfterMsOf(response);
      if (response.ok && response.body) {
        for await (const message of messagesOf(response.body, connection.isAlive)) {
          const update = updateOf(message, attempt);
          lastId = message.id ?? lastId;
          if (update && isForReader(update)) yield update;
          if (update?.event === 'closed' && isFinal(update)) return;
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isConnectionError(error) && !connection.signal.aborted) throw error;
    } finally {
      connection.end();
    }
    if (performance.now() - startedAt > steadyMs) attempt = 0;
    await sleep(waitMs + backoffMs(attempt++), signal);
  }

  /** @throws ApiError for an error that another attempt can't change */
  async function connect({ signal: until, isAlive }: Connection): Promise<Response> {
    const headers = lastId === undefined ? {} : { 'last-event-id': lastId };
    const options = { organizationId, headers, signal: until, maxRetries: 0 };
    const response = await api.events.subscribe({}, options).raw();
    // The timeout of the request ended with its headers.
    isAlive();
    if (!response.ok && !mayPass(response)) {
      open(
        { response, text: await response.text(), sent: new Headers() },
        { id: 'events.subscribe' },
      );
    }
    return response;
  }
}

type Connection = ReturnType<typeof connectionUntil>;

/** Creates the signal of one connection, aborted by the reader's signal or after too long a silence. */
function connectionUntil(signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal?.addEventListener('abort', stop);
  return {
    signal: controller.signal,
    isAlive() {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), maxSilenceMs);
    },
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      controller.abort();
    },
  };
}

const kinds: Readonly<Record<LiveMessage['event'], true>> = {
  ready: true,
  activity: true,
  notification: true,
  reset: true,
  closed: true,
};

/**
 * Returns null for a message of a kind that this version doesn't know.
 *
 * @throws TransportError for a malformed message, such as one that a proxy has cut: it is received again
 */
function updateOf({ event, data, id }: StreamMessage, attempts: number): LiveUpdate | null {
  if (!Object.hasOwn(kinds, event)) return null;
  try {
    const parsed: unknown = JSON.parse(data);
    // The contract checks the message; the client trusts it.
    return { event, data: parsed, id } as LiveUpdate;
  } catch (cause) {
    throw new TransportError('network', attempts, { cause });
  }
}

function isFinal(update: LiveUpdate & { event: 'closed' }): boolean {
  return ['session_ended', 'access_ended'].includes(update.data.reason);
}

function isForReader(update: LiveUpdate): boolean {
  return update.event !== 'closed' || isFinal(update);
}

const mayPass = ({ status }: { readonly status: number }) => isTransient(status) || status >= 500;

/** Whether reconnecting may help: the connection broke or failed, or its token could not be renewed now. */
function isConnectionError(error: unknown): boolean {
  if (error instanceof ApiError) {
    // What another server, such as a proxy, responds to a refresh says nothing of the session.
    return mayPass(error) || (error.operation === 'auth.refresh' && error.code === 'unknown');
  }
  if (error instanceof TransportError) return error.kind !== 'session_expired';
  // The body of an error that is cut throws it.
  return error instanceof TypeError;
}

function retryAfterMsOf({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after'));
  return Math.min(maxRetryAfterMs, (seconds || 0) * 1000);
}
