import type { Access, Role } from '@atelier/contract';
import type { NoteSecurityEvent } from './security-events.ts';
import type { TargetChecks } from './targets.ts';

/** An `Idempotency-Key` that this call alone works under. */
export interface Claim {
  /**
   * Stores the answer of the call.
   *
   * @param tx - the transaction of the mutation, opaque to the kernel
   * @param answer - the `data` of the declared success
   * @throws Failure `idempotency_in_flight` (409) when another attempt has taken the key over
   */
  settle(tx: object, answer: unknown): Promise<void>;
}

/** What is known of any call. */
export interface PublicContext {
  readonly requestId: string;
  /** Address of the caller, past trusted proxies. */
  readonly ipAddress: string;
  readonly userAgent: string | null;
  /** What the caller last saw of the resource; see `assertUnchanged`. */
  readonly ifMatch: string | null;
  /** The last message that arrived from a stream of the operation; null to begin now. */
  readonly lastEventId: string | null;
  /** Null for a call without an `Idempotency-Key`; see `mutate`. */
  readonly claim: Claim | null;
  /** The ids of a mutation, and which of them were checked. */
  readonly targets: TargetChecks;
  /** The `Cookie` header as it came: only sign-in through a provider knows cookies. */
  readonly cookieHeader: string | null;
  readonly noteSecurityEvent: NoteSecurityEvent;
}

/** The account behind the bearer token; its password hash never gets this far. */
export interface CurrentUser {
  readonly id: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly accountStatus: 'VERIFIED';
  readonly platformRole: 'USER' | 'ADMIN';
  /** Whether assignments and mentions are mailed. */
  readonly mailNotices: boolean;
  /** Storage key of the picture. */
  readonly avatarKey: string | null;
  readonly personalOrganizationId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A call of a verified account. */
export interface UserContext extends PublicContext {
  readonly user: CurrentUser;
  readonly sessionId: string;
  /** When the access token of the call runs out. */
  readonly tokenExpiresAt: Date;
}

/** What an operation that is for members declares. */
export type MemberAccess = Extract<Access, { kind: 'member' }>;

/** A call of an active member whose role has the permission of the operation. */
export interface MemberContext extends UserContext {
  readonly access: MemberAccess;
  readonly organization: { readonly id: string; readonly type: 'PERSONAL' | 'TEAM' };
  readonly role: Role;
}

/** A call of an administrator; `organizationId` null means all organizations. */
export interface AdministratorContext extends UserContext {
  readonly organizationId: string | null;
}

/** The context that an operation's declared access proves. */
export type ContextOf<A extends Access> = A extends { kind: 'public' }
  ? PublicContext
  : A extends { kind: 'user' }
    ? UserContext
    : A extends { kind: 'member' }
      ? MemberContext
      : AdministratorContext;
