import type { LiveEvent, ResourceType } from '@atelier/client';
import { subscribe } from '@atelier/client/events';
import { useEffect } from 'react';
import { api } from '../api.ts';
import { accountKeys } from '../session/account.ts';
import { useOrganizationId } from '../session/organization-choice.ts';
import { isAheadOfService, organizationKey, type Topic } from '../session/queries.ts';
import { leaveOrganization, queryClient } from '../session/query-client.ts';
import { isLoggingOut } from '../session/session-end.ts';

/** What has to be read again after a change of each kind of resource. */
const topicsOf: Record<ResourceType, readonly Topic[]> = {
  user: ['members'],
  organization: [],
  member: ['members'],
  invitation: ['invitations'],
  collection: ['collections', 'assets', 'bin'],
  asset: ['assets', 'collections', 'bin'],
  upload: [],
  project: ['projects', 'tasks'],
  task: ['tasks', 'projects'],
  comment: ['comments', 'tasks'],
};

const accountResources: readonly ResourceType[] = ['user', 'organization', 'member'];

/** A burst of changes, such as a hundred uploads, is read once. */
const burstMs = 150;

/** Reads again what others change, while they change it. */
export function useLiveUpdates(): void {
  const organizationId = useOrganizationId();
  useEffect(() => {
    const ending = new AbortController();
    void follow(organizationId, ending.signal);
    return () => ending.abort();
  }, [organizationId]);
}

async function follow(organizationId: string | null, signal: AbortSignal): Promise<void> {
  const pending = pendingTopics(organizationId);
  try {
    for await (const update of subscribe(api, { organizationId, signal })) {
      if (isLoggingOut()) return;
      if (update.event === 'activity') pending.add(update.data);
      if (update.event === 'reset') await queryClient.invalidateQueries();
      if (update.event !== 'closed') continue;
      if (update.data.reason === 'access_ended' && organizationId) leaveOrganization();
      // The next call notices that the session is over, and says so.
      else await queryClient.invalidateQueries({ queryKey: accountKeys.user });
    }
  } catch {
    // The tab goes on without live updates; whatever refused them refuses the other calls too.
  }
}

function pendingTopics(organizationId: string | null) {
  const topics = new Set<Topic>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    timer = isAheadOfService(queryClient) ? setTimeout(flush, burstMs) : undefined;
    if (timer || isLoggingOut()) return;
    for (const topic of topics) {
      void queryClient.invalidateQueries({ queryKey: organizationKey(organizationId, [topic]) });
    }
    topics.clear();
  }

  return {
    add({ resourceType }: LiveEvent): void {
      for (const topic of topicsOf[resourceType]) topics.add(topic);
      topics.add('timeline').add('dashboard');
      if (accountResources.includes(resourceType)) {
        void queryClient.invalidateQueries({ queryKey: accountKeys.all });
      }
      timer ??= setTimeout(flush, burstMs);
    },
  };
}
