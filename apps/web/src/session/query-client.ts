import { ApiError, TransportError } from '@atelier/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { texts } from '../texts/session.ts';
import { notify } from '../ui/notices.tsx';
import { selectedOrganizationId, selectOrganization } from './organization-choice.ts';

/** Everything that was read, by the keys of `queries.ts`. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveDeniedOrganization }),
  mutationCache: new MutationCache({ onError: leaveDeniedOrganization }),
  defaultOptions: {
    queries: {
      // The client has repeated what may be repeated.
      retry: false,
      // Live updates tell of changes; this is for what they don't cover.
      staleTime: 30_000,
      throwOnError: false,
    },
    mutations: { retry: false },
  },
});

/** The membership has ended: goes on in the personal organization. */
function leaveDeniedOrganization(error: unknown): void {
  const isDenied = error instanceof ApiError && error.code === 'organization_access_denied';
  if (isDenied && selectedOrganizationId()) leaveOrganization();
}

/** Goes on in the personal organization, and says why. */
export function leaveOrganization(): void {
  selectOrganization(null);
  notify(texts.accessEnded, { tone: 'info' });
}

/** Whether there is nobody logged in any more, which the page tells by itself. */
export function isSessionEnd(error: unknown): boolean {
  return error instanceof TransportError && error.kind === 'session_expired';
}
