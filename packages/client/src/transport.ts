import { attemptOnce, type ReceivedResponse } from './attempt.ts';
import { TransportError } from './errors.ts';
import { isOther, type SessionCore } from './session.ts';
import type { Tokens } from './token-stores.ts';
import type { Attempt, CallOptions, ClientOptions, OperationId } from './types.ts';
import { backoffMs, isTransient, orAborted, randomKey, sleep } from './waiting.ts';

/** A row of the route table. */
export interface Route {
  readonly id: OperationId;
  readonly method: string;
  readonly flags: string;
  readonly path: string;
}

/** The arguments of any operation. */
export interface AnyArgs {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

/** A request to an operation, and the options of its call. */
export interface OperationRequest {
  readonly route: Route;
  readonly args: AnyArgs;
  readonly options: CallOptions;
  /** Whether to leave the body unread; evaluated when the response arrives. */
  readonly wantsRaw: () => boolean;
}

/** Maximum `Retry-After` to wait for, in milliseconds. */
const maxRetryAfterMs = 30_000;

/** Builds the URL of an operation: escapes path parameters, omits undefined query values. */
export function urlOf(baseUrl: string, { path, id }: Route, { params, query }: AnyArgs): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(params?.[name] ?? '');
    // An empty or a dot segment would reach another operation.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${id}: invalid path parameter ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.append(name, String(value));
  }
  return `${baseUrl.replace(/\/+$/, '')}${filled}?${search.toString()}`.replace(/\?$/, '');
}

/** Creates the function that sends requests: sets headers, retries, and renews rejected tokens. */
export function createTransport(client: ClientOptions, session: () => SessionCore) {
  return async function send({
    route,
    args,
    options,
    wantsRaw,
  }: OperationRequest): Promise<ReceivedResponse> {
    const { id, method, flags } = route;
    const { signal } = options;
    const url = urlOf(client.baseUrl, route, args);
    const init = { method, body: JSON.stringify(args.body) };
    const headers = headersOf(route, args, options);
    const isRetryable = method === 'GET' || /i/.test(flags) || id === 'auth.logout';
    const maxRetries = isRetryable ? (options.maxRetries ?? client.maxRetries ?? 2) : 0;
    let isRenewed = false;
    let number = 1;
    let began: Tokens | null | undefined;

    for (;;) {
      const tokens = /b/.test(flags) ? await session().get() : null;
      // A request of one session is never sent with the tokens of another.
      if (began !== undefined && isOther(began, tokens)) {
        throw new TransportError('session_expired', number);
      }
      began ??= tokens;
      if (tokens) headers.set('authorization', `Bearer ${tokens.accessToken}`);
      const attempt: Attempt = { operation: id, number, url, headers: new Headers(headers), init };
      const outcome = await attemptOnce({ client, attempt, options, wantsRaw });
      const received = outcome instanceof TransportError ? null : outcome;

      if (received && tokens && received.response.status === 401 && !isRenewed) {
        isRenewed = true;
        await discard(received);
        await orAborted(session().renew(tokens), signal);
        continue;
      }
      const waitMs = number > maxRetries ? null : waitBefore(number + 1, received);
      if (waitMs === null) {
        if (outcome instanceof TransportError) throw outcome;
        return outcome;
      }
      if (received) await discard(received);
      client.logger?.debug(`${id}: attempt ${number} failed, next in ${Math.round(waitMs)} ms`);
      await sleep(waitMs, signal);
      number++;
    }
  };

  function headersOf({ flags }: Route, { body }: AnyArgs, options: CallOptions): Headers {
    const headers = new Headers(options.headers);
    const set = (name: string, value: string | null | undefined) => {
      if (value) headers.set(name, value);
    };
    if (body !== undefined) set('content-type', 'application/json');
    if (/i/.test(flags)) set('idempotency-key', options.idempotencyKey ?? randomKey());
    set('if-match', options.ifMatch);
    if (/o/.test(flags)) set('x-organization-id', organizationOf(options));
    return headers;
  }

  function organizationOf({ organizationId }: CallOptions): string | null {
    if (organizationId !== undefined) return organizationId;
    const { organizationId: configured } = client;
    if (typeof configured === 'function') return configured();
    return configured ?? session().getOrganizationId();
  }
}

/** Releases the connection of a response whose body stays unread. */
async function discard({ response }: ReceivedResponse): Promise<void> {
  if (!response.bodyUsed) await response.body?.cancel();
}

/** Returns the milliseconds to wait before another attempt; null if none can help. */
function waitBefore(attempt: number, received: ReceivedResponse | null): number | null {
  if (!received) return backoffMs(attempt);
  const { response, text } = received;
  // The first attempt, whose response was lost, is still running.
  const isInFlight = attempt > 2 && text.includes('"idempotency_in_flight"');
  if (!isTransient(response.status) && !isInFlight) return null;
  const retryAfter = response.headers.get('retry-after');
  if (!retryAfter) return backoffMs(attempt);
  const seconds = Number(retryAfter);
  const waitMs = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1000;
  // With jitter: every client got the same earliest time.
  return waitMs > maxRetryAfterMs ? null : Math.max(0, waitMs || 0) + backoffMs(0);
}
