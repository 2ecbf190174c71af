import { ApiError, TransportError } from '@atelier/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { texts } from '../texts/session.ts';
import { notify } from '../ui/notices.tsx';
import { selectedOrganizationId, selectOrganization } from './selected-organization.ts';

/** Cache of all responses; `queries.ts` defines its keys. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveDeniedOrganization }),
  mutationCache: new MutationCache({ onError: leaveDeniedOrganization }),
  defaultOptions: {
    queries: {
      // The API client already retries safe requests.
      retry: false,
      // Live updates invalidate changed data; this covers the rest.
      staleTime: 30_000,
      throwOnError: false,
    },
    mutations: { retry: false },
  },
});

/** Switches to the personal organization when the user's membership has ended. */
function leaveDeniedOrganization(error: unknown): void {
  const isDenied = error instanceof ApiError && error.code === 'organization_access_denied';
  if (isDenied && selectedOrganizationId()) leaveOrganization();
}

/** Switches to the personal organization and notifies the user. */
export function leaveOrganization(): void {
  selectOrganization(null);
  notify(texts.accessEnded, { tone: 'info' });
}

/** Tells whether the session has ended, which the page reports by itself. */
export function isSessionEnd(error: unknown): boolean {
  return error instanceof TransportError && error.kind === 'session_expired';
}
