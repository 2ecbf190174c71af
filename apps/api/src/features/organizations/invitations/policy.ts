import type { InvitationStatus, Role } from '@atelier/contract';
import type { z } from 'zod';
import type { MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { rolesGrantedBy } from '../../../domain/open-invitations/grants.ts';

/** The state that decides whether an invitation is valid. */
export interface OfferState {
  readonly role: Role;
  /** The inviter's current role; null unless the inviter is an active member with a working account. */
  readonly inviterRole: Role | null;
  readonly status: z.infer<typeof InvitationStatus>;
  /** When its organization was deleted. */
  readonly organizationDeletedAt: Date | null;
}

/**
 * Checks that the caller grants no more than their own role, so that only owners make owners, and confirm who they are.
 *
 * @throws Failure `permission_denied`, `confirmation_required` (403)
 */
export function assertMayGrant(
  { role, isConfirmed }: Pick<MemberContext, 'role' | 'isConfirmed'>,
  granted: Role,
): void {
  if (!rolesGrantedBy(role).includes(granted)) throw new Failure('permission_denied');
  if (granted === 'OWNER' && !isConfirmed) throw new Failure('confirmation_required');
}

/**
 * Checks that an invitation can be accepted. A demotion revokes the invitations that the inviter may no longer
 * grant; this check covers changes that miss one.
 *
 * @param offer - with the timestamp at which the link was replaced by a newer one
 * @throws Failure `invitation_gone` (410)
 */
export function assertOpen(offer: OfferState & { readonly voidedAt: Date | null }): void {
  const isOpen =
    offer.status === 'PENDING' &&
    offer.voidedAt === null &&
    offer.organizationDeletedAt === null &&
    rolesGrantedBy(offer.inviterRole).includes(offer.role);
  if (!isOpen) throw new Failure('invitation_gone');
}

/** @throws Failure `invitation_email_mismatch` (403) */
export function assertAddressee(offer: { readonly email: string }, email: string): void {
  if (offer.email !== email) throw new Failure('invitation_email_mismatch');
}

/** Whether a token has the right form: 256 bits in base64url. */
export function isTokenShaped(token: string): boolean {
  return /^[\w-]{43}$/.test(token);
}

/** `grace@example.com` as `g****@example.com`: enough to recognize one's own address, whatever its length. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  // One letter would reveal all of it.
  const shown = at > 1 ? email.slice(0, 1) : '';
  return `${shown}****${email.slice(at)}`;
}
