import { ApiError, TransportError } from '@atelier/client';
import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query';
import { texts } from '../texts/session.ts';
import { notify } from '../ui/notices.tsx';
import { queryDefaults } from '../ui/query-defaults.ts';
import { askToConfirm, needsConfirmation } from './confirmed.ts';
import { selectedOrganizationId, selectOrganization } from './selected-organization.ts';

/** Cache of all responses; `queries.ts` defines its keys. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      leaveDeniedOrganization(error);
      // What is already shown stays; a dialog without a reason to see would surprise.
      if (query.state.data === undefined) void confirmToRead(error, query);
    },
  }),
  mutationCache: new MutationCache({ onError: leaveDeniedOrganization }),
  defaultOptions: {
    queries: queryDefaults,
    // A dialog that is gone can't ask again: only declared changes wait for the network, see `declareChange`.
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Asks for the password if a query needs it, and sends the query again. */
async function confirmToRead(error: unknown, { queryKey }: Pick<Query, 'queryKey'>): Promise<void> {
  if (!needsConfirmation(error) || !(await askToConfirm())) return;
  await queryClient.invalidateQueries({ queryKey, exact: true });
}

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
