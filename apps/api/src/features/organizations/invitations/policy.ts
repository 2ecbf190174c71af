import type { InvitationStatus, Role } from '@atelier/contract';
import type { z } from 'zod';
import { Failure } from '../../../kernel/errors.ts';
import { rolesGrantedBy } from '../../../domain/open-invitations/grants.ts';

/** What decides whether an offer still stands. */
export interface OfferState {
  readonly role: Role;
  /** What its inviter is now; null for anybody who is no active member with an account that works. */
  readonly inviterRole: Role | null;
  readonly status: z.infer<typeof InvitationStatus>;
  /** When its organization was deleted. */
  readonly organizationDeletedAt: Date | null;
}

/**
 * Nobody gives away more than they have, so that only an owner makes an owner.
 *
 * @throws Failure `permission_denied` (403)
 */
export function assertMayGrant(own: Role, granted: Role): void {
  if (!rolesGrantedBy(own).includes(granted)) throw new Failure('permission_denied');
}

/**
 * Checks that an offer can be taken. What its inviter may not grant any more was revoked when the inviter was
 * lowered; that it is looked at again covers what no such change knew of.
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

/** Whether a token can be one of ours at all: 256 bits in base64url. */
export function isTokenShaped(token: string): boolean {
  return /^[\w-]{43}$/.test(token);
}

/** `grace@example.com` as `g****@example.com`: enough to know one's own, whatever the length. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  // One letter would be all of it.
  const shown = at > 1 ? email.slice(0, 1) : '';
  return `${shown}****${email.slice(at)}`;
}
