import type { ErrorCode, RateLimit } from '@atelier/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { giveBack, limitReached, secondsLeft } from '../domain/rate-limits.ts';
import { Failure } from '../kernel/errors.ts';
import type { Draw, QuotaName } from '../ports/rate-limiter.ts';
import { callerAddress, wideNetworkOf } from './caller-address.ts';
import { operationOf } from './requests.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly rateLimits: RateLimits;
  }
}

interface LimitedCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Valid by the contract. */
  readonly body: unknown;
}

/** Enforces the contract's `rateLimit`. Both methods throw Failure `rate_limited` (429). */
interface RateLimits {
  /** Counts a request by its caller or address, before the body is received; null if nothing is counted. */
  countCall(request: FastifyRequest, reply: FastifyReply): Promise<unknown> | null;
  /** Counts a request by the email in its valid body; returns draws that its outcome makes free. */
  countOutcome<T>(call: LimitedCall, handle: () => Promise<T>): Promise<T>;
}

/**
 * The outcome of a request: success, refusal by a rule of the service, invalid input, internal fault, or a refusal for which a
 * second factor is to blame although the password was right.
 */
type Outcome = 'done' | 'refused' | 'invalid' | 'broken' | 'right-password';

/** The quotas that a request draws from, in order, each with its subject: an exhausted one doesn't cost the next. */
type Draws = readonly (readonly [QuotaName, (call: LimitedCall) => string])[];

interface OutcomeRule {
  readonly draws: Draws;
  /** The outcome that counts; any other is free. */
  readonly costs: Outcome;
}

const ofAddress = ({ request }: LimitedCall) => callerAddress(request);
const ofMailbox = ({ body }: LimitedCall) => mailboxIn(body, 'email');
const ofOwnMailbox = ({ request }: LimitedCall) => ownMailboxOf(request);
const ofNewMailbox = ({ body }: LimitedCall) => mailboxIn(body, 'newEmail');
const ofOrganization = ({ request }: LimitedCall) => organizationIn(request);
const ofVisitor = ({ request }: LimitedCall) => visitorOf(request);
const ofShare = ({ request }: LimitedCall) => shareOf(request);
const ofAccount = ({ request }: LimitedCall) => accountOf(request);
const ofCaller = ({ request }: LimitedCall) => callerOf(request);

/** By the share and the network too: a visitor gets as many tickets as they open it. */
const visitorDraws: Draws = [
  ['share-ticket', ofVisitor],
  ['share-network', ({ request }) => visitorNetworkOf(request)],
];

const callerDraws: Draws = [['default', ofCaller]];

/** What each request draws before its body is received, also one that is refused then. */
const requestDraws: Readonly<Record<RateLimit, Draws>> = {
  default: callerDraws,
  invite: callerDraws,
  confirm: callerDraws,
  'email-change': callerDraws,
  'search-rebuild': callerDraws,
  refresh: [['refresh-address', ofAddress]],
  'leaked-key': [['leaked-key-address', ofAddress]],
  search: [['search', ofCaller]],
  suggest: [['suggest', ofCaller]],
  share: visitorDraws,
  'share-comment': visitorDraws,
  login: [],
  'passkey-login': [],
  register: [],
  'password-reset': [],
  none: [],
};

const outcomeRules: Readonly<Record<RateLimit, OutcomeRule | null>> = {
  // The address first: an exhausted one can't exhaust the accounts of others.
  login: {
    draws: [
      ['login-address', ofAddress],
      ['login-account', ofMailbox],
    ],
    costs: 'refused',
  },
  // Whose account it is, only the passkey says.
  'passkey-login': { draws: [['login-address', ofAddress]], costs: 'refused' },
  // The guesses of a stolen session count like those of a sign-in.
  confirm: { draws: [['login-account', ofOwnMailbox]], costs: 'refused' },
  register: {
    draws: [
      ['register-address', ofAddress],
      ['register-mailbox', ofMailbox],
    ],
    costs: 'done',
  },
  'password-reset': {
    draws: [
      ['password-reset-address', ofAddress],
      ['password-reset-mailbox', ofMailbox],
    ],
    costs: 'done',
  },
  // By the account, not its address: a stolen session can't send mails from everywhere.
  'email-change': {
    draws: [
      ['password-reset-address', ofAccount],
      ['password-reset-mailbox', ofNewMailbox],
    ],
    costs: 'done',
  },
  invite: { draws: [['invitation-inviter', ofAccount]], costs: 'done' },
  'search-rebuild': { draws: [['search-rebuild', ofOrganization]], costs: 'done' },
  // By the share too: a visitor gets as many tickets as they open it.
  'share-comment': {
    draws: [
      ['share-comment-ticket', ofVisitor],
      ['share-comment', ofShare],
    ],
    costs: 'done',
  },
  default: null,
  refresh: null,
  'leaked-key': null,
  search: null,
  suggest: null,
  share: null,
  none: null,
};

/** Returns the names of the quotas that a limit of the contract stands for. */
export function quotasOf(limit: RateLimit): QuotaName[] {
  return [...requestDraws[limit], ...(outcomeRules[limit]?.draws ?? [])].map(([name]) => name);
}

/** Decorates the app with `app.rateLimits`. */
export function addRateLimits(app: FastifyInstance, { rateLimiter, clock }: Deps): void {
  app.decorate('rateLimits', {
    countCall(request, reply) {
      const draws = requestDraws[operationOf(request)?.rateLimit ?? 'none'];
      return draws.length === 0 ? null : drawAll({ request, reply, body: null }, draws);
    },

    countOutcome(call, handle) {
      const rule = outcomeRules[operationOf(call.request)?.rateLimit ?? 'none'];
      return rule ? handleCounted(call, rule, handle) : handle();
    },
  });

  async function handleCounted<T>(
    call: LimitedCall,
    rule: OutcomeRule,
    handle: () => Promise<T>,
  ): Promise<T> {
    const { request, reply } = call;
    const draws = await drawAll(call, rule.draws);
    let outcome: Outcome = 'done';
    try {
      return await handle();
    } catch (error) {
      outcome = error instanceof Failure ? outcomeOf(error) : 'broken';
      throw error;
    } finally {
      if (outcome !== rule.costs) describe(reply, await release(draws, request), clock.now());
    }
  }

  async function drawAll(call: LimitedCall, wanted: Draws): Promise<readonly Draw[]> {
    const { request, reply } = call;
    let allowed: readonly Draw[] = [];
    for (const [name, subjectOf] of wanted) {
      const draw = await rateLimiter.draw(name, subjectOf(call));
      if (draw && !draw.isAllowed) {
        describe(reply, [...(await release(allowed, request)), draw], clock.now());
        throw limitReached(draw, clock.now());
      }
      if (draw) allowed = [...allowed, draw];
    }
    describe(reply, allowed, clock.now());
    return allowed;
  }

  /** @returns the current draws */
  async function release(
    draws: readonly Draw[],
    request: FastifyRequest,
  ): Promise<readonly Draw[]> {
    const isBack = await giveBack(draws, { rateLimiter, log: request.log });
    return isBack ? draws.map((draw) => ({ ...draw, remaining: draw.remaining + 1 })) : draws;
  }
}

/** Thrown by handlers after they have found the password right. A wrong second factor counts all the same. */
const afterPassword: ReadonlySet<ErrorCode> = new Set(['second_factor_required', 'rate_limited']);

function outcomeOf({ code, status }: Failure): Outcome {
  if (status >= 500) return 'broken';
  // Such as a new password that is too common: the current one hasn't been compared then.
  if (code === 'validation_failed') return 'invalid';
  return afterPassword.has(code) ? 'right-password' : 'refused';
}

/** An API key has its own quota, so that a program takes nothing from the person whose key it uses. */
function callerOf(request: FastifyRequest): string {
  const credential = request.identity?.credential;
  return credential?.kind === 'key' ? `key ${credential.id}` : accountOf(request);
}

function visitorOf(request: FastifyRequest): string {
  const { visit } = request;
  return visit ? `ticket ${visit.ticketHash.toString('hex')}` : callerAddress(request);
}

/** Of the network, as with passwords of shares: within it addresses cost nothing. */
function visitorNetworkOf({ visit, ip }: FastifyRequest): string {
  return `${visit?.id ?? 'none'} ${wideNetworkOf(ip) ?? 'unknown'}`;
}

function shareOf({ visit }: FastifyRequest): string {
  if (!visit) throw new Error('an operation limited by share was reached without a ticket');
  return visit.id;
}

function accountOf(request: FastifyRequest): string {
  return request.identity ? `user ${request.identity.user.id}` : callerAddress(request);
}

function ownMailboxOf({ identity }: FastifyRequest): string {
  if (!identity) throw new Error('an operation limited by its account needs no authentication');
  return identity.user.email;
}

function organizationIn({ params }: FastifyRequest): string {
  if (typeof params !== 'object' || params === null || !('id' in params)) {
    throw new Error('an operation limited by organization has none in its path');
  }
  return String(params.id);
}

/** Returns the email of a field in the canonical form that the contract gives it. */
function mailboxIn(body: unknown, field: string): string {
  if (typeof body !== 'object' || body === null || !(field in body)) {
    throw new Error('an operation limited by mailbox has none in its body');
  }
  return String(Reflect.get(body, field));
}

/**
 * Builds the two header fields of the IETF draft: the policies, and what is left of each.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
function describe(reply: FastifyReply, draws: readonly Draw[], now: Date): void {
  if (draws.length === 0) return;
  reply.header('ratelimit-policy', draws.map(policyItem).join(', '));
  reply.header('ratelimit', draws.map((draw) => limitItem(draw, now)).join(', '));
}

function policyItem({ quota }: Draw): string {
  return `"${quota.name}";q=${quota.limit};w=${quota.windowSeconds}`;
}

function limitItem(draw: Draw, now: Date): string {
  return `"${draw.quota.name}";r=${draw.remaining};t=${secondsLeft(draw, now)}`;
}
