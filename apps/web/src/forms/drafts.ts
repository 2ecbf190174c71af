import { useSyncExternalStore } from 'react';
import { useUser } from '../session/account.ts';
import { createStore } from '../ui/store.ts';

/** What users have typed and not sent, by user and subject. The next user of the page sees nothing of it. */
const drafts = createStore<ReadonlyMap<string, unknown>>(new Map());

type Update<Value> = (current: Value | undefined) => Value | undefined;

/**
 * Keeps what is typed until it is sent, also when its form is closed meanwhile.
 *
 * @param subject - what it is about; all drafts of a subject have the same type
 * @returns the draft, undefined without one, and what changes it, which works after the form has been closed, too
 */
export function useDraft<Value>(
  subject: string,
): readonly [Value | undefined, (update: Update<Value>) => void] {
  const key = JSON.stringify([useUser()?.id, subject]);
  const all = useSyncExternalStore(drafts.subscribe, drafts.get);
  // Only what this function has kept for the subject.
  const current = all.get(key) as Value | undefined;
  function change(update: Update<Value>): void {
    const changed = new Map(drafts.get());
    const next = update(changed.get(key) as Value | undefined);
    if (next === undefined) changed.delete(key);
    else changed.set(key, next);
    drafts.set(changed);
  }
  return [current, change];
}
