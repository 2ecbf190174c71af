import { subscribe } from '@atelier/client/events';
import { followChanges } from '@atelier/client/react-query';
import { api } from '../session/api.ts';
import { accountKeys } from '../session/account.ts';
import { leaveOrganization, queryClient } from '../session/query-client.ts';

/** Refetches data of an organization when others change it, until the signal. */
export async function follow(organizationId: string | null, signal: AbortSignal): Promise<void> {
  const refetch = followChanges(queryClient, signal);
  for await (const update of subscribe(api, { organizationId, signal })) {
    refetch(update);
    if (update.event !== 'closed') continue;
    if (update.data.reason === 'access_ended' && organizationId) leaveOrganization(organizationId);
    // If the session has ended, this request finds out and reports it.
    else await queryClient.invalidateQueries({ queryKey: accountKeys.user });
  }
}
