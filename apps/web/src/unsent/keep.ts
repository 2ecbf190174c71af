import { hydrate, type MutationState } from '@tanstack/react-query';
import { queryClient } from '../session/query-client.ts';
import { hasSession } from '../session/session.ts';
// The kinds of changes that an earlier visit may have left.
// oxlint-disable import/no-unassigned-import
import '../library/asset-changes.ts';
import '../library/collection-changes.ts';
import '../notifications/notification-changes.ts';
import '../tasks/comment-changes.ts';
import '../tasks/labels.ts';
import '../tasks/new-task.ts';
import '../tasks/task-changes.ts';
// oxlint-enable import/no-unassigned-import
import { showPending } from './declare.ts';
import { changeKey, pendingChanges } from './pending.ts';
import { currentSession } from './session-mark.ts';
import { storeChanges, storedChanges, type StoredChange } from './store.ts';

const tab = crypto.randomUUID();
const lockOf = (name: string) => `atelier-unsent-${name}`;

/**
 * Stores unsent changes of this tab in the browser, and takes over those of tabs that are gone, such as of
 * this one before a reload. Call it once.
 */
export async function keepUnsent(): Promise<void> {
  // Held as long as the tab lives, so that others don't send its changes too.
  void navigator.locks.request(lockOf(tab), () => new Promise(() => {}));
  let last: Promise<unknown> = Promise.resolve();
  const store = () => {
    const changes = pendingChanges(queryClient);
    last = last.then(() => storeChanges(tab, changes.map(storedOf))).catch(() => {});
  };
  queryClient.getMutationCache().subscribe(store);
  store();
  await takeOver();
}

const storedOf = ({ name, variables }: StoredChange): StoredChange => ({ name, variables });

async function takeOver(): Promise<void> {
  if (!(await hasSession())) return;
  const { held = [] } = await navigator.locks.query();
  const alive = new Set(held.map(({ name }) => name));
  for (const [other, changes] of await storedChanges()) {
    if (other === tab || alive.has(lockOf(other))) continue;
    hydrate(queryClient, { mutations: changes.map(dehydrated), queries: [] });
    await storeChanges(other, []);
  }
  showPending();
  await queryClient.resumePausedMutations();
}

function dehydrated({ name, variables }: StoredChange) {
  const state: MutationState = {
    context: undefined,
    data: undefined,
    error: null,
    failureCount: 0,
    failureReason: null,
    isPaused: true,
    status: 'pending',
    submittedAt: Date.now(),
    variables: { ...variables, session: currentSession() },
  };
  return { mutationKey: changeKey(name), state };
}
