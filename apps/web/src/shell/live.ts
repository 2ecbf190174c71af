import { useEffect } from 'react';
import { script } from '../loading/script.ts';
import { useOrganizationId } from '../session/selected-organization.ts';
import { beforeSignOut } from '../session/session.ts';

const code = script(() => import('./follow-changes.ts'));
const retryMs = 10_000;

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
  // Loaded after the page, which doesn't need it to be shown.
  const state = await code.load();
  try {
    if (state.status === 'loaded') await state.module.follow(organizationId, signal);
    else setTimeout(() => void (signal.aborted || start(organizationId, signal)), retryMs);
  } catch {
    // The tab works without live updates; the cause also fails and reports other requests.
  }
}
