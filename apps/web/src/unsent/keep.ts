import { hydrate, type MutationState } from '@tanstack/react-query';
import { queryClient } from '../session/query-client.ts';
import { hasSession } from '../session/session.ts';
// The kinds of changes that an earlier visit may have left.
// oxlint-disable import/no-unassigned-import
import '../library/asset-changes.ts';
import '../library/collection-changes.ts';
import '../notifications/notification-changes.ts';
import '../tasks/comment-changes.ts';
import '../tasks/files/attachments.ts';
import '../tasks/labels.ts';
import '../tasks/new-task.ts';
import '../tasks/task-changes.ts';
// oxlint-enable import/no-unassigned-import
import { showPending } from './declare.ts';
import { changeKey, pendingChanges, planned } from './pending.ts';
import { currentSession } from './session-mark.ts';
import { storeChanges, storedChanges, type StoredChange } from './store.ts';

const tabId = crypto.randomUUID();
const lockOf = (name: string) => `atelier-unsent-${name}`;

/**
 * Stores unsent changes of this tab in the browser, and takes over those of tabs that are gone, such as of this
 * one before a reload. Settles when it has asked for them. Call it once.
 */
export async function keepUnsent(): Promise<void> {
  // Held as long as the tab lives, so that others don't send its changes too.
  void navigator.locks.request(lockOf(tabId), () => new Promise(() => {}));
  queryClient.getMutationCache().subscribe(() => void storePending());
  planned.subscribe(() => void storePending());
  await storePending();
  await takeOver();
}

let lastWrite: Promise<unknown> = Promise.resolve();

/** Stores the pending changes of this tab. */
function storePending(): Promise<unknown> {
  // As they are then: the first of several writes has all of them.
  const write = () => storeChanges(tabId, pendingChanges(queryClient).map(storedOf));
  lastWrite = lastWrite.then(write).catch(() => {});
  return lastWrite;
}

const storedOf = ({ name, variables }: StoredChange): StoredChange => ({ name, variables });

/** Takes over the changes of other tabs, each as soon as its tab is gone. */
async function takeOver(): Promise<void> {
  if (!(await hasSession())) return;
  const others = [...(await storedChanges()).keys()].filter((other) => other !== tabId);
  for (const other of others) {
    // A reload may be faster than the end of the page before.
    void navigator.locks.request(lockOf(other), () => takeOverFrom(other)).catch(() => {});
  }
}

async function takeOverFrom(other: string): Promise<void> {
  const changes = (await storedChanges()).get(other) ?? [];
  // Signed out in the meantime.
  if (changes.length === 0 || !(await hasSession())) return;
  hydrate(queryClient, { mutations: changes.map(dehydrated), queries: [] });
  showPending();
  await storePending();
  await storeChanges(other, []);
  void queryClient.resumePausedMutations();
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
