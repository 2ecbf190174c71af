import type { State } from '../state/model.ts';

/** Returns the bytes of each object that an organization has, also in the bin. Versions may have one in common. */
export function objectsIn({ store }: State, organizationId: string): ReadonlyMap<unknown, number> {
  const versions = store
    .all('AssetVersion')
    .filter((version) => version.organizationId === organizationId);
  return new Map(versions.map(({ fields }) => [fields['objectId'], Number(fields['fileSize'])]));
}

/** Returns the bytes of all stored objects. */
export function storedBytes(state: State, organizationId: string): number {
  return [...objectsIn(state, organizationId).values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Returns the bytes of all uploads that are neither completed nor aborted. */
function pendingBytes({ store }: State, organizationId: string): number {
  return store
    .all('upload')
    .filter((upload) => upload.organizationId === organizationId)
    .filter(({ fields }) => fields['status'] === 'ACTIVE')
    .reduce((sum, { fields }) => sum + Number(fields['fileSize']), 0);
}

/** Returns the bytes that count towards the plan. */
export function usedBytes(state: State, organizationId: string): number {
  return storedBytes(state, organizationId) + pendingBytes(state, organizationId);
}
