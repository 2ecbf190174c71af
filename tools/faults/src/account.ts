import { createHash } from 'node:crypto';
import type postgres from 'postgres';
import { send, recordOf, type Outcome, type Patience, type Request } from './calls.ts';
import type { Findings } from './findings.ts';
import type { Journal, Told, WriteKind } from './journal.ts';
import type { Random } from './random.ts';
import type { MailServer } from './services/mail.ts';

/** A write whose outcome an account waits for, to be asked for again under its key. */
export interface Pending {
  readonly marker: string;
  readonly kind: WriteKind;
  readonly request: Request;
  /** What a change is to make of what. */
  readonly wanted?: Told;
  readonly tell: (answer: Outcome & { state: 'acknowledged' }) => Told;
  readonly onTold: (told: Told) => void;
}

export const password = 'correct horse battery staple';

/** Somebody who uses the API as a careful client does. */
export interface Account {
  readonly number: number;
  readonly email: string;
  readonly random: Random;
  /** A name that no other write has. */
  newMarker(kind: WriteKind): string;
  /** Calls the API that answers; logs in again when it has to. */
  call(request: Request): Promise<Outcome>;
  /** Makes a write, with a line in the journal before and after. */
  write(pending: Pending): Promise<Outcome>;
  logIn(): Promise<boolean>;
  refresh(): Promise<void>;
  /** Presents a code to both APIs at once, of which one may take it. */
  exchangeTwice(): Promise<void>;
  readonly pending: Pending[];
}

/** What accounts work with, and what is looked at afterwards. */
export interface Product {
  /** Where it answers: each instance, or what stands before them. */
  readonly apis: readonly [{ readonly url: string }, ...{ readonly url: string }[]];
  readonly mail: Pick<MailServer, 'mails' | 'mailsTo'>;
  /** A way of its own to the database. */
  readonly sql: postgres.Sql;
  /** What `pnpm operator` needs. */
  readonly operatorEnvironment: Readonly<Record<string, string>>;
  /** With its answers; default: the usual one. */
  readonly patience?: Patience;
  /** Told of every call of an account. */
  readonly onOutcome?: (outcome: Outcome, request: Request) => void;
}

export interface Surroundings {
  readonly stack: Product;
  readonly journal: Journal;
  readonly findings: Findings;
}

/** Refusals that may follow from a fault, and change nothing. */
const understandable = new Set(['conflict', 'precondition_failed']);

/** For how long an API that did not answer is left alone. */
const awayMs = 1_000;

export function createAccount(
  { number, email, random }: { number: number; email: string; random: Random },
  { stack, journal, findings }: Surroundings,
): Account {
  let tokens = { access: '', refresh: '' };
  const home = number % stack.apis.length;
  /** Until when the next API is called. */
  let awayUntil = 0;
  let written = 0;
  let codes = 0;
  const pending: Pending[] = [];

  async function sendTo(request: Request): Promise<Outcome> {
    const isAway = performance.now() < awayUntil;
    const api = stack.apis[isAway ? (home + 1) % stack.apis.length : home] ?? stack.apis[0];
    const outcome = await send(api.url, request, stack.patience);
    stack.onOutcome?.(outcome, request);
    if (outcome.state === 'unknown') {
      if (outcome.because === 'internal_error') {
        findings.add(`${request.method} ${request.path} answered 500 (${outcome.requestId})`);
      }
      // Where this one doesn't answer, the other may.
      if (outcome.status === undefined) awayUntil = isAway ? 0 : performance.now() + awayMs;
    }
    return outcome;
  }

  async function call(request: Request): Promise<Outcome> {
    const outcome = await sendTo({ ...request, token: tokens.access });
    if (outcome.state !== 'refused') return outcome;
    if (outcome.status === 401) {
      return (await logIn()) ? sendTo({ ...request, token: tokens.access }) : outcome;
    }
    if (!understandable.has(outcome.code)) {
      const { method, path } = request;
      findings.add(`${method} ${path} was refused: ${outcome.code} (${outcome.requestId})`);
    }
    return outcome;
  }

  async function logIn(): Promise<boolean> {
    const outcome = await sendTo({
      method: 'POST',
      path: '/api/auth/login',
      body: { email, password },
    });
    if (outcome.state !== 'acknowledged') return false;
    const { accessToken, refreshToken } = recordOf(outcome.body['token']);
    tokens = { access: String(accessToken), refresh: String(refreshToken) };
    return true;
  }

  /** A refresh is made once: whoever hears nothing of it has to log in. */
  async function refresh(): Promise<void> {
    // Nobody knows whether the last one was taken, and presenting it again would end every session.
    if (tokens.refresh === '') {
      await logIn();
      return;
    }
    const marker = newMarker('refresh');
    const about = { marker, kind: 'refresh', account: number } as const;
    await journal.write({ ...about, state: 'begun' });
    const presented = tokens.refresh;
    const outcome = await sendTo({
      method: 'POST',
      path: '/api/auth/refresh-token',
      body: { refreshToken: presented },
    });
    if (outcome.state === 'acknowledged') {
      const { token, refreshToken } = outcome.body;
      tokens = { access: String(token), refresh: String(refreshToken) };
      await journal.write({ ...about, state: 'acknowledged', told: { id: marker } });
      return;
    }
    if (outcome.state === 'refused') {
      findings.add(`a refresh token that was never used is refused: ${outcome.code}`);
    }
    await journal.write({ ...about, state: outcome.state });
    // Until that works, calls are refused, and log in themselves.
    tokens = { ...tokens, refresh: '' };
    await logIn();
  }

  async function exchangeTwice(): Promise<void> {
    codes += 1;
    const code = createHash('sha256').update(`${email} ${codes}`).digest('base64url');
    const codeHash = createHash('sha256').update(code).digest();
    // As a provider's redirect would leave it; without a database there is no code.
    const isThere = await stack.sql`
      insert into exchange_codes (code_hash, user_id, expires_at)
      select ${codeHash}, id, now() + interval '60 seconds' from users where email = ${email}`.then(
      () => true,
      () => false,
    );
    if (!isThere) return;
    const request = { method: 'POST', path: '/api/auth/oauth/exchange', body: { code } } as const;
    const outcomes = await Promise.all(stack.apis.map(({ url }) => send(url, request)));
    const taken = outcomes.filter(({ state }) => state === 'acknowledged').length;
    if (taken > 1) findings.add(`a code of ${email} was used ${taken} times`);
    if (outcomes.every(({ state }) => state === 'refused')) {
      findings.add(`a code of ${email} was refused twice`);
    }
  }

  async function write(attempt: Pending): Promise<Outcome> {
    const { marker, kind, request, wanted, tell, onTold } = attempt;
    const about = { marker, kind, account: number };
    await journal.write({ ...about, state: 'begun', ...(wanted && { wanted }) });
    const outcome = await call(request);
    if (outcome.state === 'acknowledged') {
      const told = tell(outcome);
      await journal.write({ ...about, state: 'acknowledged', told });
      onTold(told);
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
    call,
    write,
    logIn,
    refresh,
    exchangeTwice,
    pending,
  };
}
