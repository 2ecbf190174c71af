import { Id, lifetimes, type Access, type Role, type Scope } from '@atelier/contract';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Credential, CurrentUser, VisitedShare } from '../kernel/context.ts';
import { Failure } from '../kernel/errors.ts';
import { hashSecretToken } from '../kernel/secret-tokens.ts';
import type { TokenCodec } from '../kernel/tokens.ts';
import type { Clock } from '../ports/clock.ts';
import { looksLikeApiKey, readApiKey } from '../kernel/api-keys.ts';
import type { EarlyReads } from './early-reads.ts';
import type { KnownCallers } from './known-callers.ts';
import type { SessionQueries, VisitQueries } from './queries/callers.ts';

/** The organization that a request names. */
export type NamedOrganization =
  | { readonly kind: 'none'; readonly personalOrganizationId: string }
  /** It names one that doesn't exist. */
  | { readonly kind: 'unknown' }
  /** It names none, and its API key reaches several. */
  | { readonly kind: 'ambiguous' }
  | {
      readonly kind: 'found';
      readonly id: string;
      readonly type: 'PERSONAL' | 'TEAM';
      /** The caller's active role; null for anyone but a member. */
      readonly role: Role | null;
      /** Whether it requires a second factor by now that the account doesn't have. */
      readonly lacksSecondFactor: boolean;
    };

/** The authenticated caller. */
export interface Identity {
  readonly user: CurrentUser;
  readonly credential: Credential;
  /** When the access token or the key expires; null for a key without an expiry. */
  readonly credentialExpiresAt: Date | null;
  /** Whether the person of the session has proven lately who they are. */
  readonly isConfirmed: boolean;
  readonly named: NamedOrganization;
}

interface CallerDeps {
  readonly tokens: TokenCodec;
  readonly clock: Clock;
  readonly sessions: SessionQueries;
  readonly knownCallers: KnownCallers;
  readonly earlyReads: EarlyReads;
}

/**
 * Reads the bearer token and loads session, account and organization in one query.
 *
 * Runs before the body is read, so that an anonymous client can't make the service parse anything.
 *
 * @throws Failure `unauthenticated` (401)
 */
export async function authenticate(
  request: FastifyRequest,
  access: Access,
  { tokens, clock, sessions, knownCallers, earlyReads }: CallerDeps,
): Promise<Identity> {
  const now = clock.now();
  const token = bearerToken(request.headers.authorization);
  if (token !== null && looksLikeApiKey(token)) {
    const deps = { sessions, knownCallers, earlyReads };
    return authenticateKey(request, access, { ...deps, presented: token, now });
  }
  const claims = token === null ? null : await tokens.read('access', token, now);
  if (!claims) throw unauthenticated();

  earlyReads.start(request, claims.sessionId);
  const { expiresAt: credentialExpiresAt } = claims;
  const credential = { kind: 'session', id: claims.sessionId } as const;
  const key = { sessionId: claims.sessionId, userId: claims.userId, now };
  const organizationId = namedOrganizationId(request, access);
  if (organizationId === null) {
    const row = await sessions.findOpen(key);
    if (!row) throw unauthenticated();
    const { personalOrganizationId, confirmedAt, ...user } = row;
    return {
      user: { ...user, accountStatus: 'VERIFIED' },
      credential,
      credentialExpiresAt,
      isConfirmed: isRecent(confirmedAt, now),
      named: { kind: 'none', personalOrganizationId },
    };
  }
  const row = await knownCallers.bySession(request, { ...key, organizationId });
  if (!row) throw unauthenticated();
  const { organizationId: id, organizationType: type, role, lacksSecondFactor, ...rest } = row;
  const { confirmedAt, versions: _, ...user } = rest;
  return {
    user: { ...user, accountStatus: 'VERIFIED' },
    credential,
    credentialExpiresAt,
    isConfirmed: isRecent(confirmedAt, now),
    named: id && type ? { kind: 'found', id, type, role, lacksSecondFactor } : { kind: 'unknown' },
  };
}

/**
 * Reads the ticket of a visitor, and loads the share with it.
 *
 * @throws Failure `unauthenticated` (401) for a ticket that is missing, unknown or has expired; `share_not_found` (404) for
 *   a share that can't be visited any more
 */
export async function authenticateVisitor(
  request: FastifyRequest,
  { clock, visits }: { clock: Clock; visits: VisitQueries },
): Promise<VisitedShare> {
  const ticket = /^Share +([A-Za-z0-9_]{1,256})$/i.exec(request.headers.authorization ?? '')?.[1];
  if (ticket === undefined) throw unauthenticated();
  const row = await visits.find({ ticketHash: hashSecretToken(ticket), now: clock.now() });
  if (!row) throw unauthenticated();
  const { isLiving, isOfRevision, ...share } = row;
  if (!isLiving || !isOfRevision) throw new Failure('share_not_found');
  return share;
}

/** The same for an API key. One with a wrong checksum is refused without a query. */
async function authenticateKey(
  request: FastifyRequest,
  access: Access,
  {
    presented,
    sessions,
    knownCallers,
    earlyReads,
    now,
  }: Pick<CallerDeps, 'sessions' | 'knownCallers' | 'earlyReads'> & {
    presented: string;
    now: Date;
  },
): Promise<Identity> {
  const read = readApiKey(presented);
  if (read === null) throw unauthenticated();
  const { keyHash, kind } = read;
  earlyReads.start(request, keyHash.toString('base64'));
  if (access.kind === 'user') {
    const row = await sessions.findByKey({ keyHash, kind, now });
    if (!row) throw unauthenticated();
    const { ownOrganizationId, ...found } = row;
    if (ownOrganizationId === null) throw unauthenticated();
    const named = { kind: 'none', personalOrganizationId: ownOrganizationId } as const;
    return { ...callerOf(found), named };
  }
  const named = namedOrganizationId(request, access);
  const key = { keyHash, organizationId: named, now };
  const row = await knownCallers.byKey(request, key);
  if (!row) throw unauthenticated();
  const { organizationId: id, organizationType: type, role, lacksSecondFactor, ...rest } = row;
  const { reachesSeveral, versions: _, ...found } = rest;
  const caller = callerOf(found);
  if (id && type) {
    return { ...caller, named: { kind: 'found', id, type, role, lacksSecondFactor } };
  }
  const isAmbiguous = named === null && reachesSeveral;
  return { ...caller, named: { kind: isAmbiguous ? 'ambiguous' : 'unknown' } };
}

type FoundKey = Omit<
  NonNullable<Awaited<ReturnType<SessionQueries['findByKey']>>>,
  'ownOrganizationId'
>;

function callerOf(found: FoundKey) {
  const { credentialId, scopes: scopeList, expiresAt, ...user } = found;
  return {
    // What administrators of the platform may do beyond their roles, no program may do.
    user: { ...user, accountStatus: 'VERIFIED', platformRole: 'USER' },
    credential: { kind: 'key', id: credentialId, scopes: scopesIn(scopeList) },
    credentialExpiresAt: expiresAt,
    isConfirmed: false,
  } as const;
}

/** The scopes of keys by their text: most requests come from few keys. */
const knownScopes = new LRUCache<string, readonly Scope[]>({ max: 1_000 });

function scopesIn(text: string): readonly Scope[] {
  const known = knownScopes.get(text);
  if (known) return known;
  // The column holds nothing else.
  const scopes = text.split(' ') as Scope[];
  knownScopes.set(text, scopes);
  return scopes;
}

/** Counts in both directions: a clock that was set back prolongs nothing. */
function isRecent(confirmedAt: Date | null, now: Date): boolean {
  if (confirmedAt === null) return false;
  return Math.abs(now.getTime() - confirmedAt.getTime()) < lifetimes.confirmationSeconds * 1000;
}

function unauthenticated(): Failure {
  return new Failure('unauthenticated');
}

const bearer = 'bearer ';
const maxTokenLength = 8_192;

/** Takes what follows the scheme as it is: a pattern would look at each of its hundreds of characters, as reading it does. */
function bearerToken(header = ''): string | null {
  if (header.slice(0, bearer.length).toLowerCase() !== bearer) return null;
  const token = header.slice(bearer.length).trimStart();
  return token === '' || token.length > maxTokenLength ? null : token;
}

/** Returns the organization id of a request if it is well-formed; the contract refuses a malformed one later. */
function namedOrganizationId(request: FastifyRequest, access: Access): string | null {
  if (access.kind !== 'member' && access.kind !== 'administrator') return null;
  const fromPath = access.kind === 'member' && access.organizationFrom === 'path';
  const named = fromPath
    ? (request.params as { id?: unknown }).id
    : request.headers['x-organization-id'];
  const id = Id.safeParse(named);
  return id.success ? id.data : null;
}
