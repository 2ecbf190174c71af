import { attemptOnce, type ReceivedResponse } from './attempt.ts';
import type { ConditionalOptions, IdempotentOptions } from './call-options.ts';
import { TransportError } from './errors.ts';
import type { Route } from './routes.ts';
import { isOther, type SessionCore } from './session.ts';
import type { Tokens } from './token-stores.ts';
import type { Attempt, ClientOptions } from './types.ts';
import { backoffMs, isTransient, orAborted, randomKey, sleep } from './waiting.ts';

/** The arguments of any operation. */
export interface AnyArgs {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

/** The options of any operation. */
export type AnyOptions = IdempotentOptions & ConditionalOptions;

/** A request to an operation, and the options of its call. */
export interface OperationRequest {
  readonly route: Route;
  readonly args: AnyArgs;
  readonly options: AnyOptions;
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
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  // It writes numbers and booleans as text; its type knows only text.
  const search = new URLSearchParams(given as [string, string][]);
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
    const maxRetries = options.maxRetries ?? client.maxRetries ?? 2;
    // Sent twice, these have their effect once. An ETag no longer matches what the first attempt has changed.
    const isRepeatable =
      /GET|PUT|DEL/.test(method) || /[ix]/.test(flags) || options.ifMatch?.includes('"');
    const needsBearer = /[bo]/.test(flags);
    let isRenewed = false;
    let number = 1;
    let began: Tokens | null | undefined;
    /** The failure of an attempt that may have had its effect. */
    let lost: ReceivedResponse | TransportError | undefined;

    for (;;) {
      const tokens = needsBearer && !client.apiKey ? await session().get() : null;
      // A request of one session is never sent with the tokens of another.
      if (began !== undefined && isOther(began, tokens)) {
        throw new TransportError('session_expired', number);
      }
      began ??= tokens;
      const bearer = client.apiKey || tokens?.accessToken;
      if (needsBearer && bearer) headers.set('authorization', `Bearer ${bearer}`);
      const attempt: Attempt = { operation: id, number, url, headers: new Headers(headers), init };
      const outcome = await attemptOnce({ client, attempt, options, wantsRaw });
      const received = outcome instanceof TransportError ? null : outcome;
      const status = received?.response.status ?? 0;

      if (status === 401 && tokens && !isRenewed) {
        isRenewed = true;
        await discard(received);
        await orAborted(session().renew(tokens), signal);
        continue;
      }
      // A rate limit refuses a request before its effect.
      const mayRepeat = isRepeatable || (method === 'PATCH' && status === 429);
      const waitMs =
        mayRepeat && number <= maxRetries ? waitBefore(number + 1, status, received) : null;
      if (waitMs === null) {
        // The change of the lost attempt may be why the ETag, or the password that it replaced, no longer matches.
        const isMismatch = status === 412 || received?.text.includes('"invalid_credentials"');
        const last = (isMismatch && lost) || outcome;
        if (last instanceof TransportError) throw last;
        return last;
      }
      if (status !== 429) lost = outcome;
      await discard(received);
      client.logger?.debug(`${id}: attempt ${number} failed, next in ${Math.round(waitMs)} ms`);
      await sleep(waitMs, signal);
      number++;
    }
  };

  function headersOf({ flags }: Route, { body }: AnyArgs, options: AnyOptions): Headers {
    const headers = new Headers(options.headers);
    const set = (name: string, value: string | null | undefined) => {
      if (value) headers.set(name, value);
    };
    if (body !== undefined) set('content-type', 'application/json');
    if (/i/.test(flags)) set('idempotency-key', options.idempotencyKey ?? randomKey());
    set('if-match', options.ifMatch);
    const { organizationId = session().getOrganizationId() } = options;
    if (/o/.test(flags)) set('x-organization-id', organizationId);
    return headers;
  }
}

/** Releases the connection of a response whose body stays unread. */
async function discard(received: ReceivedResponse | null): Promise<void> {
  if (!received?.response.bodyUsed) await received?.response.body?.cancel();
}

/** Returns the milliseconds to wait before another attempt; null if none can help. */
function waitBefore(
  attempt: number,
  status: number,
  received: ReceivedResponse | null,
): number | null {
  // The first attempt, whose response was lost, is still running.
  const isInFlight = attempt > 2 && received?.text.includes('"idempotency_in_flight"');
  if (!isTransient(status) && !isInFlight) return null;
  const retryAfter = received?.response.headers.get('retry-after');
  if (!retryAfter) return backoffMs(attempt);
  // In seconds or as a date; a 0 is a date of the past, too.
  const waitMs = Number(retryAfter) * 1000 || Date.parse(retryAfter) - Date.now();
  // With jitter: every client got the same earliest time.
  return waitMs > maxRetryAfterMs ? null : Math.max(0, waitMs || 0) + backoffMs(0);
}
