import { useEffect } from 'react';
import { useOrganizationId } from '../session/selected-organization.ts';
import { beforeSignOut } from '../session/session.ts';

let current: AbortController | undefined;

// A refetch would use a session that is ending.
beforeSignOut(async () => current?.abort());

/** Refetches data when others change it. */
export function useLiveUpdates(): void {
  const organizationId = useOrganizationId();
  useEffect(() => {
    const controller = new AbortController();
    current = controller;
    void start(organizationId, controller.signal);
    return () => controller.abort();
  }, [organizationId]);
}

async function start(organizationId: string | null, signal: AbortSignal): Promise<void> {
  try {
    // Loaded after the page, which doesn't need it to be shown.
    const { follow } = await import('./follow-changes.ts');
    await follow(organizationId, signal);
  } catch {
    // The tab works without live updates; the cause also fails and reports other requests.
  }
}
