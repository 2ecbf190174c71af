import { createClient, localStorageTokens } from '@atelier/client';
import { selectedOrganizationId } from './selected-organization.ts';

/** URL of the API: the app's own origin, unless the build sets another one. */
export const apiUrl: string = import.meta.env.VITE_API_URL ?? location.origin;

export const api = createClient({
  baseUrl: apiUrl,
  tokens: localStorageTokens(),
  organizationId: selectedOrganizationId,
});
