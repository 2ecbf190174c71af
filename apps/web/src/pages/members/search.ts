import type { InvitationStatus, MemberStatus, Role } from '@atelier/client';
import { oneOf } from '../../ui/options.ts';

/** Search parameters of this page. */
export interface MembersSearch {
  readonly tab?: 'invitations' | undefined;
  readonly q?: string | undefined;
  readonly role?: Role | undefined;
  readonly status?: MemberStatus | undefined;
  /** Default: pending ones. */
  readonly invitations?: InvitationFilter | undefined;
}

export type InvitationFilter = Exclude<InvitationStatus, 'PENDING'> | 'ALL';

export const roles: readonly Role[] = ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'];
const statuses: readonly MemberStatus[] = ['ACTIVE', 'SUSPENDED'];
const invitationFilters: readonly InvitationFilter[] = ['ACCEPTED', 'EXPIRED', 'REVOKED', 'ALL'];

export function validateSearch({
  tab,
  q,
  role,
  status,
  invitations,
}: Record<string, unknown>): MembersSearch {
  const knownRole = oneOf(roles, role);
  const knownStatus = oneOf(statuses, status);
  const knownFilter = oneOf(invitationFilters, invitations);
  return {
    ...(tab === 'invitations' && { tab }),
    // The router parses digits as a number.
    ...((typeof q === 'string' || typeof q === 'number') && { q: String(q).slice(0, 200) }),
    ...(knownRole && { role: knownRole }),
    ...(knownStatus && { status: knownStatus }),
    ...(knownFilter && { invitations: knownFilter }),
  };
}
