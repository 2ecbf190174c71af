import { attemptOnce, type Answer } from './attempt.ts';
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

/** A call on its way. */
export interface Sending {
  readonly route: Route;
  readonly args: AnyArgs;
  readonly options: CallOptions;
  /** Asked when the answer is there: leave its body unread. */
  readonly wantsRaw: () => boolean;
}

/** Longest `Retry-After` that is waited for, in milliseconds. */
const longestRetryAfterMs = 30_000;

/** The address of an operation: path parameters escaped, undefined query values left out. */
export function urlOf(baseUrl: string, { path, id }: Route, { params, query }: AnyArgs): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(params?.[name] ?? '');
    // An empty or a dot segment would lead to another operation.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${id}: invalid path parameter ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.append(name, String(value));
  }
  return `${baseUrl.replace(/\/+$/, '')}${filled}?${search.toString()}`.replace(/\?$/, '');
}

/** Sends calls: headers, timeouts, repeats, and fresh tokens in place of refused ones. */
export function createTransport(client: ClientOptions, session: () => SessionCore) {
  return async function send({ route, args, options, wantsRaw }: Sending): Promise<Answer> {
    const { id, method, flags } = route;
    const { signal } = options;
    const url = urlOf(client.baseUrl, route, args);
    const init = { method, ...(args.body !== undefined && { body: JSON.stringify(args.body) }) };
    const headers = headersOf(route, args, options);
    const isRepeatable = method === 'GET' || /i/.test(flags) || id === 'auth.logout';
    const maxRetries = isRepeatable ? (options.maxRetries ?? client.maxRetries ?? 2) : 0;
    let isRenewed = false;
    let number = 1;
    let began: Tokens | null | undefined;

    for (;;) {
      const tokens = /b/.test(flags) ? await session().get() : null;
      // A call of one session is never sent as another's.
      if (began !== undefined && isOther(began, tokens)) {
        throw new TransportError('session_expired', number);
      }
      began ??= tokens;
      if (tokens) headers.set('authorization', `Bearer ${tokens.accessToken}`);
      const attempt: Attempt = { operation: id, number, url, headers: new Headers(headers), init };
      const outcome = await attemptOnce({ client, attempt, options, wantsRaw });
      const answer = outcome instanceof TransportError ? null : outcome;

      if (answer && tokens && answer.response.status === 401 && !isRenewed) {
        isRenewed = true;
        await discard(answer);
        await orAborted(session().renew(tokens), signal);
        continue;
      }
      const waitMs = number > maxRetries ? null : waitBefore(number + 1, answer);
      if (waitMs === null) {
        if (outcome instanceof TransportError) throw outcome;
        return outcome;
      }
      if (answer) await discard(answer);
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

/** Lets go of the connection of an answer that nobody reads. */
async function discard({ response }: Answer): Promise<void> {
  if (!response.bodyUsed) await response.body?.cancel();
}

/** Milliseconds until another attempt; null when another one would end the same. */
function waitBefore(attempt: number, answer: Answer | null): number | null {
  if (!answer) return backoffMs(attempt);
  const { response, text } = answer;
  // The first attempt, whose answer got lost, is still at work.
  const isInFlight = attempt > 2 && text.includes('"idempotency_in_flight"');
  if (!isTransient(response.status) && !isInFlight) return null;
  const retryAfter = response.headers.get('retry-after');
  if (!retryAfter) return backoffMs(attempt);
  const seconds = Number(retryAfter);
  const waitMs = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1000;
  // Jitter on top: the service named the earliest moment, and named it to everybody.
  return waitMs > longestRetryAfterMs ? null : Math.max(0, waitMs || 0) + backoffMs(0);
}
