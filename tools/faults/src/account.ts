import { createHash, randomBytes } from 'node:crypto';
import type postgres from 'postgres';
import { send, recordOf, type Outcome, type RequestTimeout, type Request } from './requests.ts';
import type { Findings } from './findings.ts';
import type { Journal, RecordState, WriteKind } from './journal.ts';
import type { Random } from './random.ts';
import type { MailServer } from './services/mail.ts';

/** A write without a known outcome. It is repeated with its idempotency key. */
export interface Pending {
  readonly marker: string;
  readonly kind: WriteKind;
  readonly request: Request;
  /** The state that a change should lead to. */
  readonly wanted?: RecordState;
  readonly readState: (outcome: Outcome & { state: 'acknowledged' }) => RecordState;
  readonly onAcknowledged: (state: RecordState) => void;
}

export const password = 'correct horse battery staple';

/** A user of the API with a careful client. */
export interface Account {
  readonly number: number;
  readonly email: string;
  readonly random: Random;
  /** Returns a name that no other write has. */
  newMarker(kind: WriteKind): string;
  /** Sends a request to an API that responds; refreshes the session if needed. */
  request(request: Request): Promise<Outcome>;
  /** Makes a write and journals it before and after. */
  write(pending: Pending): Promise<Outcome>;
  logIn(): Promise<boolean>;
  refresh(): Promise<void>;
  /** Presents one code to every API at the same time; at most one may accept it. */
  exchangeConcurrently(): Promise<void>;
  readonly pending: Pending[];
}

/** How an account reaches the API. */
export interface Connection {
  /** Sends a request with the account's token. */
  request(request: Request): Promise<Outcome>;
  logIn(): Promise<boolean>;
  /** Rotates the refresh token. Its outcome is null if there is none to present. */
  refresh(): Promise<Outcome | null>;
}

/** The product under test, as accounts and checks reach it. */
export interface Product {
  /** The instances, or the balancer in front of them. */
  readonly apis: readonly [{ readonly url: string }, ...{ readonly url: string }[]];
  readonly mail: Pick<MailServer, 'mails' | 'mailsTo'>;
  /** A connection to the database that bypasses the proxies. */
  readonly sql: postgres.Sql;
  /** The variables of `pnpm operator`. */
  readonly operatorEnvironment: Readonly<Record<string, string>>;
  /** 8 s by default. */
  readonly timeout?: RequestTimeout;
  /** Called with the outcome of every request of an account. */
  readonly onOutcome?: (outcome: Outcome, request: Request) => void;
}

export interface Harness {
  readonly stack: Product;
  readonly journal: Journal;
  readonly findings: Findings;
}

/** Refusals that a fault may cause and that change nothing. */
const expectedRefusals = new Set(['conflict', 'precondition_failed']);

/** How long an API that did not respond gets no requests. */
const avoidMs = 1_000;

/** A connection that sends every request once, and refreshes its session as the client does. */
function createConnection(
  { number, email }: { number: number; email: string },
  { stack, findings }: Pick<Harness, 'stack' | 'findings'>,
): Connection {
  /** Each pair has a key of its own, under which its refresh is repeated until there is a response. */
  let tokens = { access: '', refresh: '', refreshKey: '' };
  const home = number % stack.apis.length;
  /** Until then, requests go to the next API. */
  let avoidUntil = 0;

  async function sendTo(request: Request): Promise<Outcome> {
    const isAvoided = performance.now() < avoidUntil;
    const api = stack.apis[isAvoided ? (home + 1) % stack.apis.length : home] ?? stack.apis[0];
    const outcome = await send(api.url, request, stack.timeout);
    stack.onOutcome?.(outcome, request);
    if (outcome.state === 'unknown') {
      if (outcome.because === 'internal_error') {
        findings.add(`${request.method} ${request.path} responded 500 (${outcome.requestId})`);
      }
      // If this API doesn't respond, the other may.
      if (outcome.status === undefined) {
        avoidUntil = isAvoided ? 0 : performance.now() + avoidMs;
      }
    }
    return outcome;
  }

  async function authenticated(request: Request): Promise<Outcome> {
    const outcome = await sendTo({ ...request, token: tokens.access });
    if (outcome.state !== 'refused') return outcome;
    if (outcome.status === 401) {
      const refreshed = await refresh();
      return refreshed?.state === 'unknown'
        ? outcome
        : sendTo({ ...request, token: tokens.access });
    }
    reportRefusal(outcome, request);
    return outcome;
  }

  function reportRefusal(outcome: Outcome, request: Request): void {
    const refusal = describeRefusal(outcome, request);
    if (refusal !== null) findings.add(refusal);
  }

  async function logIn(): Promise<boolean> {
    const outcome = await sendTo({
      method: 'POST',
      path: '/api/auth/login',
      body: { email, password },
    });
    if (outcome.state !== 'acknowledged') return false;
    const { accessToken, refreshToken } = recordOf(outcome.body['token']);
    keep(accessToken, refreshToken);
    return true;
  }

  async function refresh(): Promise<Outcome | null> {
    if (tokens.refresh === '') {
      await logIn();
      return null;
    }
    const outcome = await sendTo({
      method: 'POST',
      path: '/api/auth/refresh-token',
      body: { refreshToken: tokens.refresh },
      idempotencyKey: tokens.refreshKey,
    });
    if (outcome.state === 'acknowledged') keep(outcome.body['token'], outcome.body['refreshToken']);
    if (outcome.state === 'refused') {
      findings.add(`${email} was signed out: ${outcome.code} (${outcome.requestId})`);
      tokens = { access: '', refresh: '', refreshKey: '' };
      await logIn();
    }
    return outcome;
  }

  function keep(access: unknown, refreshToken: unknown): void {
    const refreshKey = randomBytes(16).toString('base64');
    tokens = { access: String(access), refresh: String(refreshToken), refreshKey };
  }

  return { request: authenticated, logIn, refresh };
}

/** Describes a refusal that no fault explains; null for every other outcome. */
export function describeRefusal(outcome: Outcome, { method, path }: Request): string | null {
  if (outcome.state !== 'refused' || expectedRefusals.has(outcome.code)) return null;
  return `${method} ${path} was refused: ${outcome.code} (${outcome.requestId})`;
}

/** Creates an account. @param connection - by default one of its own that doesn't retry */
export function createAccount(
  { number, email, random }: { number: number; email: string; random: Random },
  { stack, journal, findings }: Harness,
  connection: Connection = createConnection({ number, email }, { stack, findings }),
): Account {
  let written = 0;
  let codes = 0;
  const pending: Pending[] = [];

  /** Refreshes once. Without a response, the next refresh repeats it. */
  async function refresh(): Promise<void> {
    const marker = newMarker('refresh');
    const about = { marker, kind: 'refresh', account: number } as const;
    await journal.write({ ...about, state: 'begun' });
    const outcome = await connection.refresh();
    if (outcome === null) return;
    if (outcome.state === 'acknowledged') {
      await journal.write({ ...about, state: 'acknowledged', acknowledged: { id: marker } });
      return;
    }
    await journal.write({ ...about, state: outcome.state });
  }

  async function exchangeConcurrently(): Promise<void> {
    codes += 1;
    const code = createHash('sha256').update(`${email} ${codes}`).digest('base64url');
    const codeHash = createHash('sha256').update(code).digest();
    // The code that a provider's redirect would store; without a database there is none.
    const isStored = await stack.sql`
      insert into exchange_codes (code_hash, user_id, expires_at)
      select ${codeHash}, id, now() + interval '60 seconds' from users where email = ${email}`.then(
      () => true,
      () => false,
    );
    if (!isStored) return;
    const request = { method: 'POST', path: '/api/auth/oauth/exchange', body: { code } } as const;
    const outcomes = await Promise.all(stack.apis.map(({ url }) => send(url, request)));
    const uses = outcomes.filter(({ state }) => state === 'acknowledged').length;
    if (uses > 1) findings.add(`a code of ${email} was used ${uses} times`);
    if (outcomes.every(({ state }) => state === 'refused')) {
      findings.add(`a code of ${email} was refused twice`);
    }
  }

  async function write(attempt: Pending): Promise<Outcome> {
    const { marker, kind, request, wanted, readState, onAcknowledged } = attempt;
    const about = { marker, kind, account: number };
    await journal.write({ ...about, state: 'begun', ...(wanted && { wanted }) });
    const outcome = await connection.request(request);
    if (outcome.state === 'acknowledged') {
      const acknowledged = readState(outcome);
      await journal.write({ ...about, state: 'acknowledged', acknowledged });
      onAcknowledged(acknowledged);
      return outcome;
    }
    await journal.write({ ...about, state: outcome.state });
    if (outcome.state === 'unknown' && request.idempotencyKey !== undefined) pending.push(attempt);
    return outcome;
  }

  function newMarker(kind: WriteKind): string {
    written += 1;
    return `${kind} ${number}-${written}`;
  }

  return {
    number,
    email,
    random,
    newMarker,
    request: connection.request,
    write,
    logIn: connection.logIn,
    refresh,
    exchangeConcurrently,
    pending,
  };
}
