import type { MemberStatus, Role } from '@atelier/client';

/** Search parameters of this page. */
export interface MembersSearch {
  readonly tab?: 'invitations' | undefined;
  readonly q?: string | undefined;
  readonly role?: Role | undefined;
  readonly status?: MemberStatus | undefined;
}

export const roles: readonly Role[] = ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'];
export const statuses: readonly MemberStatus[] = ['ACTIVE', 'SUSPENDED'];

export function validateSearch({ tab, q, role, status }: Record<string, unknown>): MembersSearch {
  const knownRole = roles.find((one) => one === role);
  const knownStatus = statuses.find((one) => one === status);
  return {
    ...(tab === 'invitations' && { tab }),
    // The router parses digits as a number.
    ...((typeof q === 'string' || typeof q === 'number') && { q: String(q).slice(0, 200) }),
    ...(knownRole && { role: knownRole }),
    ...(knownStatus && { status: knownStatus }),
  };
}
