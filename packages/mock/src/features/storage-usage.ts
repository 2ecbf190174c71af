import type { State } from '../state/model.ts';

/** Returns the bytes of all stored versions, including those in the bin. */
export function storedBytes({ store }: State, organizationId: string): number {
  return store
    .all('AssetVersion')
    .filter((version) => version.organizationId === organizationId)
    .reduce((sum, { fields }) => sum + Number(fields['fileSize']), 0);
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
