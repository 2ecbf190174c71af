import type { LiveEvent, ResourceType } from '@atelier/client';
import { subscribe } from '@atelier/client/events';
import { useEffect } from 'react';
import { api } from '../session/api.ts';
import { accountKeys } from '../session/account.ts';
import { useOrganizationId } from '../session/selected-organization.ts';
import { hasPendingOptimisticUpdates, organizationKey, type Topic } from '../session/queries.ts';
import { leaveOrganization, queryClient } from '../session/query-client.ts';
import { isSigningOut } from '../session/session-end.ts';

/** The topics to refetch after a change of each type of resource. */
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
  label: ['labels', 'tasks'],
};

const accountResources: readonly ResourceType[] = ['user', 'organization', 'member'];

/** Batches a burst of changes, such as a hundred uploads, into one refetch. */
const burstMs = 150;

/** Refetches data when others change it. */
export function useLiveUpdates(): void {
  const organizationId = useOrganizationId();
  useEffect(() => {
    const controller = new AbortController();
    void follow(organizationId, controller.signal);
    return () => controller.abort();
  }, [organizationId]);
}

async function follow(organizationId: string | null, signal: AbortSignal): Promise<void> {
  const pending = pendingTopics(organizationId);
  try {
    for await (const update of subscribe(api, { organizationId, signal })) {
      if (isSigningOut()) return;
      if (update.event === 'activity') pending.add(update.data);
      if (update.event === 'reset') await queryClient.invalidateQueries();
      if (update.event !== 'closed') continue;
      if (update.data.reason === 'access_ended' && organizationId) leaveOrganization();
      // If the session has ended, this request finds out and reports it.
      else await queryClient.invalidateQueries({ queryKey: accountKeys.user });
    }
  } catch {
    // The tab works without live updates; the cause also fails and reports other requests.
  }
}

function pendingTopics(organizationId: string | null) {
  const topics = new Set<Topic>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    timer = hasPendingOptimisticUpdates(queryClient) ? setTimeout(flush, burstMs) : undefined;
    if (timer || isSigningOut()) return;
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
