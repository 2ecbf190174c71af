import { TransportError } from '@atelier/client';
import { optimistic } from '@atelier/client/react-query';
import { notifyManager, type MutationOptions, type QueryKey } from '@tanstack/react-query';
import { isSessionEnd, queryClient, sendTo } from '../session/query-client.ts';
import { topicKey } from '../session/queries.ts';
import { texts } from '../texts/unsent.ts';
import { errorText, isUnreachable } from '../ui/error-texts.ts';
import { notify } from '../ui/notices.tsx';
import { changeServerData, showServerData } from './server-data.ts';
import type { ChangeKind, UnsentChange } from './change.ts';
import { currentSession } from './session-mark.ts';
import {
  changeKey,
  isDropped,
  isTakenBack,
  recordResponse,
  pendingChanges,
  unsentKey,
} from './pending.ts';

interface DeclaredKind extends Pick<ChangeKind<unknown, unknown>, 'show' | 'items'> {
  readonly keys: readonly QueryKey[];
}

const declared = new Map<string, DeclaredKind>();
/** Who reports the failure of a change, by its idempotency key; without one, a notification does. */
const reporters = new Map<string, (error: Error) => void>();

/** Has the failure of a change reported by a function, as long as this page is open. */
export function reportTo(change: UnsentChange, report: (error: Error) => void): void {
  reporters.set(change.idempotencyKey, report);
}

/**
 * Declares a kind of change. Call it at the top of a module that `keep.ts` imports, so that unsent changes of
 * an earlier visit can be sent.
 */
export function declareChange<Input, Data>(
  change: ChangeKind<Input, Data>,
): ChangeKind<Input, Data> {
  const { send, invalidates, show, sent } = change;
  const keys = invalidates.map(topicKey);
  const update = ({ input }: UnsentChange<Input>) => show(queryClient, input);
  const { onMutate, onSettled } = optimistic(queryClient, { keys, update });
  // The map mixes changes of different inputs; each gets its own back.
  declared.set(change.name, { ...change, keys } as DeclaredKind);
  const options: MutationOptions<Data, Error, UnsentChange<Input>> = {
    // All of them in one order: a later one may depend on an earlier one.
    scope: { id: unsentKey.join() },
    mutationFn({ session, ...unsent }) {
      if (isDropped({ session, ...unsent })) throw new TransportError('session_expired', 0);
      const { input, organizationId, idempotencyKey } = unsent;
      return sendTo(organizationId, () => send(input, { organizationId, idempotencyKey }));
    },
    networkMode: 'online',
    retry: (_, error) => isUnreachable(error),
    retryDelay: (count) => Math.min(maxDelayMs, minDelayMs * 2 ** count),
    onMutate,
    onSuccess(data, variables) {
      recordResponse(variables);
      if (variables.session !== currentSession()) return;
      // It was on its way.
      if (isTakenBack(variables)) notify(texts.alreadySent, { tone: 'info' });
      notifyManager.batch(() => {
        changeServerData(keys, () => {
          update(variables);
          sent?.(queryClient, data, variables.input);
        });
        showPending();
      });
    },
    onError(error, variables) {
      recordResponse(variables);
      // The queries may be those of the next user already.
      if (isDropped(variables)) return;
      notifyManager.batch(() => {
        showServerData(keys);
        showPending();
      });
      const report = reporters.get(variables.idempotencyKey) ?? notifyRefused;
      if (!isSessionEnd(error)) report(error);
    },
    async onSettled(_data, _error, { idempotencyKey, session }) {
      reporters.delete(idempotencyKey);
      if (session === currentSession()) await onSettled();
    },
  };
  queryClient.setMutationDefaults(changeKey(change.name), options);
  return change;
}

const minDelayMs = 1000;
const maxDelayMs = 15_000;

/** Shows that a change was refused. */
export function notifyRefused(error: Error): void {
  notify(texts.refused(errorText(error)), { tone: 'danger' });
}

/** Shows the pending changes again, in order. */
export function showPending(): void {
  for (const { name, variables } of pendingChanges(queryClient)) {
    declared.get(name)?.show(queryClient, variables.input);
  }
}

/** Returns the ids of the items that a change concerns. */
export function itemsOf(name: string, { input }: UnsentChange): readonly string[] {
  return declared.get(name)?.items(input) ?? [];
}

/** Returns the beginnings of the keys of the queries that a kind of change concerns. */
export function keysOf(name: string): readonly QueryKey[] {
  return declared.get(name)?.keys ?? [];
}

queryClient.getQueryCache().subscribe((event) => {
  // A response that doesn't have a pending change yet would hide it.
  if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return;
  showPending();
});
