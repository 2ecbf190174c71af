import { createClient, localStorageTokens } from '@atelier/client';
import { selectedOrganizationId } from './session/organization-choice.ts';
import { onSessionExpired } from './session/session-end.ts';

/** The service: the own origin, unless the app was built for another one. */
const apiUrl: string = import.meta.env.VITE_API_URL ?? location.origin;

export const api = createClient({
  baseUrl: apiUrl,
  tokens: localStorageTokens(),
  organizationId: selectedOrganizationId,
  onSessionExpired,
});
