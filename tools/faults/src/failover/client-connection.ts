import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, TransportError, type Client } from '@atelier/client';
import { routes } from '../../../../packages/client/src/routes.ts';
import { describeRefusal, password, type Connection } from '../account.ts';
import type { Findings } from '../findings.ts';
import { toOutcome, type Outcome, type Request } from '../requests.ts';

/** How long requests took that change something, retries included. */
export interface Durations {
  /** @param attempts - the result of each, with the seconds after which it was sent and ended */
  note(milliseconds: number, what: string, attempts: readonly string[]): void;
}

interface Attempts {
  readonly startedAt: number;
  readonly results: string[];
}

/** A device of a user: a client of its own, with a session of its own. */
export interface ClientConnection extends Connection {
  readonly client: Client;
}

/** After this long, a user gives up. */
const patienceSeconds = 75;
const pauseMs = 300;

/** Reaches the API as apps do: with the typed client, its retries and its refreshes. */
export function createClientConnection(
  { url, email }: { url: string; email: string },
  { findings, durations }: { findings: Findings; durations: Durations },
): ClientConnection {
  /** What became of the attempts of the current request, by its key. */
  const attempts = new Map<string | null, Attempts>();
  const client = createClient({
    baseUrl: url,
    maxRetries: 60,
    onSessionExpired: () => findings.add(`${email} was signed out`),
    middleware: [
      async ({ operation, headers }, next) => {
        const sentAt = performance.now();
        const note = (result: string | number) => {
          const current = attempts.get(headers.get('idempotency-key'));
          const times = [sentAt, performance.now()].map((at) =>
            ((at - (current?.startedAt ?? 0)) / 1_000).toFixed(1),
          );
          current?.results.push(`${result} ${times.join('–')}`);
        };
        const response = await next().catch((error: unknown) => {
          note('none');
          throw error;
        });
        note(response.status);
        if (response.status === 500) {
          findings.add(`${operation} responded 500 (${response.headers.get('x-request-id')})`);
        }
        return response;
      },
    ],
  });

  async function logIn(): Promise<boolean> {
    const result = await client.auth.login({ body: { email, password } }).result();
    return result.ok;
  }

  async function attempt(request: Request): Promise<Outcome> {
    try {
      const response = await operationOf(client, request).raw();
      return toOutcome(response, await response.text());
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      if (error.kind === 'session_expired') await logIn();
      return { state: 'unknown', because: error.kind };
    }
  }

  async function request(request: Request): Promise<Outcome> {
    // One key for all attempts: those of the client, and those below.
    const idempotencyKey = request.idempotencyKey ?? randomUUID();
    const keyed = { ...request, idempotencyKey };
    const started = performance.now();
    const results: string[] = [];
    attempts.set(idempotencyKey, { startedAt: started, results });
    for (;;) {
      const outcome = await attempt(keyed);
      const tookMs = performance.now() - started;
      // The client repeats no change without a key, but its user does.
      if (outcome.state === 'unknown' && tookMs < patienceSeconds * 1_000) {
        await delay(pauseMs);
        continue;
      }
      const { method, path } = request;
      attempts.delete(idempotencyKey);
      if (method !== 'GET') durations.note(tookMs, `${method} ${path}`, results);
      const refusal = describeRefusal(outcome, request);
      if (refusal !== null) findings.add(`${email}: ${refusal}`);
      return outcome;
    }
  }

  async function refresh(): Promise<Outcome | null> {
    const deadline = performance.now() + patienceSeconds * 1_000;
    for (;;) {
      try {
        await client.session.refresh();
        return { state: 'acknowledged', status: 200, body: {}, text: '', isReplay: false };
      } catch (error) {
        if (error instanceof TransportError && error.kind === 'session_expired') {
          await logIn();
          return null;
        }
        if (performance.now() > deadline) return { state: 'unknown', because: String(error) };
        await delay(pauseMs);
      }
    }
  }

  return { client, request, logIn, refresh };
}

interface CallableOperation {
  (args: object, options: object): { raw(): Promise<Response> };
}

/** Calls the operation of the client that a request is for. */
function operationOf(client: Client, { method, path, body, idempotencyKey }: Request) {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  for (const route of Object.values(routes)) {
    const params = route.method === method ? matchPath(route.path, pathname) : null;
    if (!params) continue;
    // The route table names every operation of the client.
    const operation = Reflect.get(
      Reflect.get(client, route.group),
      route.name,
    ) as CallableOperation;
    const query = Object.fromEntries(searchParams);
    return operation({ params, query, ...(body !== undefined && { body }) }, { idempotencyKey });
  }
  throw new TypeError(`no operation is ${method} ${path}`);
}

/** @returns the parameters of the path; null if it is another one */
function matchPath(pattern: string, pathname: string): Record<string, string> | null {
  const [wanted, found] = [pattern.split('/'), pathname.split('/')];
  if (wanted.length !== found.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = found[index] ?? '';
    if (segment.startsWith(':')) params[segment.slice(1)] = decodeURIComponent(value);
    else if (segment !== value) return null;
  }
  return params;
}
