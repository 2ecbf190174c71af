import type { Organization } from '@atelier/client';
import type { UploadTarget } from './upload-list.ts';

/** Who can open what an upload makes: everybody with its link, or members. */
export type Visibility = 'public' | 'members';

/**
 * Says who can open what an upload makes.
 *
 * @returns null for a new version, which changes nothing of that, and until the organization is known
 */
export function visibilityOf(
  { organizationId, assetId }: UploadTarget,
  organizations: readonly Organization[],
): Visibility | null {
  if (assetId !== undefined) return null;
  const organization = organizations.find(({ id, type }) =>
    organizationId === null ? type === 'PERSONAL' : id === organizationId,
  );
  if (!organization) return null;
  return organization.publicLinks === 'ON_FOR_NEW' ? 'public' : 'members';
}
