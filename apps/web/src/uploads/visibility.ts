import type { Organization } from '@atelier/client';
import type { UploadTarget } from './upload-list.ts';

/** Who can open an uploaded file: anyone with the link, or members only. */
export type Visibility = 'public' | 'members';

/**
 * Returns who can open an uploaded file.
 *
 * @returns `null` for a new version, which keeps the asset's visibility, and while the organization is loading
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
