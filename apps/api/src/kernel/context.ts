import type { Access, Role, Scope } from '@atelier/contract';
import type { Claim } from './claim.ts';
import type { KnownCaller } from './known-caller.ts';
import type { NoteSecurityEvent } from './security-events.ts';
import type { TargetChecks } from './targets.ts';

/** The context of every request. */
export interface PublicContext {
  readonly requestId: string;
  /** Client address, past trusted proxies. */
  readonly ipAddress: string;
  readonly userAgent: string | null;
  /** The client's last seen state of the resource; see `assertUnchanged`. */
  readonly ifMatch: string | null;
  /** The last message that the client received from the operation's stream; null to start with new ones. */
  readonly lastEventId: string | null;
  /** Null for a request without an `Idempotency-Key`; see `mutate`. */
  readonly claim: Claim | null;
  /** The `Idempotency-Key` of an operation that keeps its response itself; null without one. */
  readonly secretKey: string | null;
  /** Null if the caller was looked up for this request; see `mutate`. */
  readonly known: KnownCaller | null;
  /** The approval that the change of an assistant uses up; null: it needs none. See `mutate`. */
  readonly approvalId: string | null;
  /** The ids of a mutation, and which of them are checked. */
  readonly targets: TargetChecks;
  /** The raw `Cookie` header: only sign-in through a provider uses cookies. */
  readonly cookieHeader: string | null;
  readonly noteSecurityEvent: NoteSecurityEvent;
}

/** The account behind the bearer token, without its password hash. */
export interface CurrentUser {
  readonly id: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly accountStatus: 'VERIFIED';
  readonly platformRole: 'USER' | 'ADMIN';
  /** Whether the user gets mails about assignments and mentions. */
  readonly mailNotices: boolean;
  /** Whether the user gets a mail about each sign-in, also from a known device and network. */
  readonly mailSignIns: boolean;
  /** Storage key of the avatar. */
  readonly avatarKey: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** The account, as its owner sees it. */
export interface OwnAccount extends CurrentUser {
  readonly personalOrganizationId: string;
}

/** What a request was authenticated with: a session of its account, or an API key. */
export type Credential =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'key'; readonly id: string; readonly scopes: readonly Scope[] };

/** Returns the id of the API key that a request was authenticated with; null for a session, and without any. */
export function apiKeyOf({ credential }: { readonly credential?: Credential }): string | null {
  return credential?.kind === 'key' ? credential.id : null;
}

/** Returns what an API key may do; null for a session, which may do what its account may. */
export function scopesOf(credential: Credential): readonly Scope[] | null {
  return credential.kind === 'session' ? null : credential.scopes;
}

/** What the contexts of all authenticated requests have. */
export interface CallerContext extends PublicContext {
  readonly user: CurrentUser;
  readonly credential: Credential;
  /** Whether the person of the session has proven lately who they are; no program can. */
  readonly isConfirmed: boolean;
  /** When the request's access token or key expires; null for a key without an expiry. */
  readonly credentialExpiresAt: Date | null;
}

/** The context of a request from a verified account. */
export interface UserContext extends CallerContext {
  readonly user: OwnAccount;
}

/** The declaration of an operation for members. */
export type MemberAccess = Extract<Access, { kind: 'member' }>;

/** The context of a request from an active member whose role has the permission of the operation. */
export interface MemberContext extends CallerContext {
  readonly access: MemberAccess;
  readonly organization: { readonly id: string; readonly type: 'PERSONAL' | 'TEAM' };
  readonly role: Role;
}

/** The context of a read that starts before the role of its caller is known. */
export interface ReaderContext {
  readonly organization: Pick<MemberContext['organization'], 'id'>;
  readonly user: Pick<MemberContext['user'], 'id'>;
}

/** The context of a request from an administrator; `organizationId` null means all organizations. */
export interface AdministratorContext extends CallerContext {
  readonly organizationId: string | null;
}

/** A share as one of its visitors sees it. */
export interface VisitedShare {
  readonly organizationId: string;
  readonly id: string;
  readonly targetType: 'ASSET' | 'COLLECTION';
  readonly targetId: string;
  readonly title: string;
  readonly label: string | null;
  readonly expiresAt: Date | null;
  readonly allowDownload: boolean;
  readonly allowComments: boolean;
  readonly versions: 'CURRENT' | 'PINNED';
  readonly watermark: string | null;
  readonly organizationName: string;
  readonly isPersonal: boolean;
  readonly sharer: Pick<CurrentUser, 'id' | 'firstName' | 'lastName' | 'email'>;
  /** SHA-256 of the visitor's ticket. */
  readonly ticketHash: Buffer;
  readonly visitorName: string | null;
}

/** The context of a request with a ticket of a share that can be visited. */
export interface VisitorContext extends PublicContext {
  readonly share: VisitedShare;
}

/** The context that an operation's declared access guarantees. */
export type ContextOf<A extends Access> = A extends { kind: 'public' }
  ? PublicContext
  : A extends { kind: 'share' }
    ? VisitorContext
    : A extends { kind: 'user' }
      ? UserContext
      : A extends { kind: 'member' }
        ? MemberContext
        : AdministratorContext;
