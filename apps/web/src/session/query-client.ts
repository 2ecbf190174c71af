import { ApiError, TransportError } from '@atelier/client';
import { QueryCache, QueryClient, type Query, type QueryKey } from '@tanstack/react-query';
import { texts } from '../texts/session.ts';
import { notify } from '../ui/notices.tsx';
import { queryDefaults } from '../ui/query-defaults.ts';
import { askToConfirm, needsConfirmation } from './confirmed.ts';
import { selectedOrganizationId, selectOrganization } from './selected-organization.ts';

/** Cache of all responses; `queries.ts` defines its keys. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      leaveIfDenied(error, organizationOf(query.queryKey));
      // What is already shown stays; a dialog without a reason to see would surprise.
      if (query.state.data === undefined) void confirmToRead(error, query);
    },
  }),
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

/** Sends a request of an organization, and leaves the organization when the user's membership has ended. */
export async function sendTo<Data>(
  organizationId: string | null,
  send: () => Promise<Data>,
): Promise<Data> {
  try {
    return await send();
  } catch (error) {
    leaveIfDenied(error, organizationId);
    throw error;
  }
}

/** Returns the organization in the key of a query; null for the personal one, and without one. */
function organizationOf(queryKey: QueryKey): string | null {
  for (const part of queryKey) {
    if (typeof part !== 'object' || part === null || !('organizationId' in part)) continue;
    if (typeof part.organizationId === 'string') return part.organizationId;
  }
  return null;
}

function leaveIfDenied(error: unknown, organizationId: string | null): void {
  const isDenied = error instanceof ApiError && error.code === 'organization_access_denied';
  if (isDenied && organizationId) leaveOrganization(organizationId);
}

/** Switches from an organization to the personal one, and notifies the user; a no-op if another one is selected. */
export function leaveOrganization(organizationId: string): void {
  if (organizationId !== selectedOrganizationId()) return;
  selectOrganization(null);
  notify(texts.accessEnded, { tone: 'info' });
}

/** Tells whether the session has ended, which the page reports by itself. */
export function isSessionEnd(error: unknown): boolean {
  return error instanceof TransportError && error.kind === 'session_expired';
}
