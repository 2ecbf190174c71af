import type { Access, ConfirmationNeed, Scope } from '@atelier/contract';
import type { FastifyRequest } from 'fastify';
import { noMember } from '../domain/authority/authority.ts';
import type {
  AdministratorContext,
  CallerContext,
  Credential,
  MemberAccess,
  MemberContext,
  OwnAccount,
  PublicContext,
  UserContext,
  VisitedShare,
  VisitorContext,
} from '../kernel/context.ts';
import { Failure } from '../kernel/errors.ts';
import { reachOf, roleOf, scopeMissing } from '../kernel/permissions.ts';
import { TargetChecks } from '../kernel/targets.ts';
import { approvalOfCall } from '../kernel/approved-call.ts';
import type { Identity, NamedOrganization } from './authenticate.ts';
import { operationOf } from './requests.ts';

/**
 * Checks the declared access of an operation and builds its context.
 *
 * @throws Failure 403 or 404 when the organization or the role does not allow the request
 */
export function contextOf(
  request: FastifyRequest,
  access: Access,
  identity: Identity | null,
): PublicContext | UserContext | MemberContext | AdministratorContext | VisitorContext {
  const operation = operationOf(request);
  const call = {
    requestId: request.id,
    ipAddress: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, 512) ?? null,
    ifMatch: operation?.ifMatch ? (request.headers['if-match'] ?? null) : null,
    lastEventId: operation?.success.isStream ? headerOf(request, 'last-event-id') : null,
    claim: null,
    secretKey: operation?.secretKey ? headerOf(request, 'idempotency-key') : null,
    known: request.known,
    approvalId: approvalOfCall(),
    targets: targetsOf(request, access),
    cookieHeader: request.headers.cookie ?? null,
    noteSecurityEvent: request.server.securityEvents.notedFor(request),
  };
  if (access.kind === 'public') return call;
  if (access.kind === 'share') return { ...call, share: visitOf(request) };
  // Every other kind of access has run the authentication hook.
  if (!identity) throw new Error('an operation was reached without authentication');

  const { user, credential, credentialExpiresAt, isConfirmed } = identity;
  const asCaller = { ...call, user, credential, credentialExpiresAt, isConfirmed };
  const keys = operation?.keys ?? 'refused';
  if (credential.kind === 'key' && keys === 'refused') throw new Failure('key_refused');
  const ctx = allowedBy(access, asCaller, identity);
  if (keys !== 'refused' && keys !== 'any') assertHasScope(credential, keys);
  assertConfirmed(operation?.confirmation ?? null, identity);
  return ctx;
}

/** @throws Failure `confirmation_required` (403) */
function assertConfirmed(confirmation: ConfirmationNeed | null, identity: Identity): void {
  if (identity.isConfirmed) return;
  const isForPlatform = confirmation === 'as-platform-administrator' && !leadsTeam(identity.named);
  // Whether ownership is at stake depends on the member, which the feature reads.
  if (confirmation === true || isForPlatform) throw new Failure('confirmation_required');
}

function allowedBy(
  access: Exclude<Access, { kind: 'public' | 'share' }>,
  caller: CallerContext,
  identity: Identity,
): UserContext | MemberContext | AdministratorContext {
  switch (access.kind) {
    case 'user':
      return { ...caller, user: ownAccount(identity) };
    case 'member':
      return { ...caller, ...membershipOf(access, identity) };
    case 'administrator':
      return { ...caller, organizationId: administeredOrganization(identity) };
  }
}

function visitOf({ visit }: FastifyRequest): VisitedShare {
  if (!visit) throw new Error('an operation for visitors was reached without a ticket');
  return visit;
}

/** Reads have nothing to check: they don't find rows of other organizations. */
function targetsOf(request: FastifyRequest, access: Access): TargetChecks {
  const { params, body, method } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const targets = isRead ? {} : (operationOf(request)?.targets ?? {});
  return new TargetChecks({ targets, access, input: { params, body } });
}

/** Returns a header that the contract has validated. */
function headerOf({ headers }: FastifyRequest, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

function ownAccount({ user, named }: Identity): OwnAccount {
  if (named.kind !== 'none') throw new Error('an operation for users names an organization');
  return { ...user, personalOrganizationId: named.personalOrganizationId };
}

function membershipOf(
  access: MemberAccess,
  { named, credential }: Identity,
): Pick<MemberContext, 'access' | 'organization' | 'role'> {
  const { id, type, role: held, lacksSecondFactor } = selectedBy(access, named);
  if (held === null) throw noMember(access);
  if (lacksSecondFactor) throw new Failure('second_factor_enrollment_required');
  const role = roleOf(credential, held);
  if (reachOf(role, access.permission) === 'none') throw new Failure('permission_denied');
  return { access, organization: { id, type }, role };
}

/** @throws Failure `scope_missing` (403) for an API key without the scope */
function assertHasScope(credential: Credential, scope: Scope): void {
  if (credential.kind !== 'key' || credential.scopes.includes(scope)) return;
  throw scopeMissing(scope);
}

/** The organization of a request: without a header, the caller's personal one. */
function selectedBy(
  access: MemberAccess,
  named: NamedOrganization,
): Omit<Extract<NamedOrganization, { kind: 'found' }>, 'kind'> {
  if (named.kind === 'found') return named;
  if (named.kind === 'ambiguous') throw new Failure('organization_required');
  if (named.kind === 'none' && access.organizationFrom === 'header') {
    const own = { type: 'PERSONAL', role: 'OWNER', lacksSecondFactor: false } as const;
    return { id: named.personalOrganizationId, ...own };
  }
  throw noMember(access);
}

function administeredOrganization({ user, named }: Identity): string | null {
  const isPlatformAdministrator = user.platformRole === 'ADMIN';
  if (named.kind === 'none') {
    if (isPlatformAdministrator) return null;
    throw new Failure('not_admin');
  }
  if (named.kind === 'ambiguous') throw new Failure('organization_required');
  if (named.kind === 'unknown') throw new Failure('organization_access_denied');
  if (isPlatformAdministrator) return named.id;
  if (named.role === null) throw new Failure('organization_access_denied');
  if (named.lacksSecondFactor) throw new Failure('second_factor_enrollment_required');
  if (!leadsTeam(named)) throw new Failure('not_admin');
  return named.id;
}

function leadsTeam(named: NamedOrganization): boolean {
  if (named.kind !== 'found' || named.type !== 'TEAM') return false;
  return named.role === 'OWNER' || named.role === 'ADMIN';
}
