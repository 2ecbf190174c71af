import {
  onlineManager,
  type Mutation,
  type MutationKey,
  type MutationState,
  type QueryClient,
} from '@tanstack/react-query';
import { createStore } from '../ui/store.ts';
import type { UnsentChange } from './change.ts';
import { currentSession } from './session-mark.ts';

/** Beginning of the keys of these mutations, which are optimistic ones of the client. */
export const unsentKey = ['atelier', 'optimistic', 'unsent'] as const;

export function changeKey(name: string): MutationKey {
  return [...unsentKey, name];
}

/** Idempotency keys of changes whose mutations are pending only until their queries have been fetched again. */
export const withResponse = createStore<ReadonlySet<string>>(new Set());

/** Records that a change has its response: it is no longer shown or stored. */
export function recordResponse({ idempotencyKey }: UnsentChange): void {
  withResponse.set(new Set(withResponse.get()).add(idempotencyKey));
}

export function hasResponse({ idempotencyKey }: UnsentChange): boolean {
  return withResponse.get().has(idempotencyKey);
}

/** Idempotency keys of changes that the user has taken back. */
const takenBack = new Set<string>();

export function markTakenBack({ idempotencyKey }: UnsentChange): void {
  takenBack.add(idempotencyKey);
}

export function isTakenBack({ idempotencyKey }: UnsentChange): boolean {
  return takenBack.has(idempotencyKey);
}

/** Tells whether a change must not be sent any more: its session has ended, or it was taken back. */
export function isDropped(change: UnsentChange): boolean {
  return change.session !== currentSession() || isTakenBack(change);
}

/** Returns the mutation that sends a change, until it is done. */
export function mutationOf(
  client: QueryClient,
  { idempotencyKey }: UnsentChange,
): Mutation | undefined {
  return mutationsOf(client).find(
    (mutation) => variablesOf(mutation).idempotencyKey === idempotencyKey,
  );
}

function mutationsOf(client: QueryClient): Mutation[] {
  return client.getMutationCache().findAll({ mutationKey: unsentKey, status: 'pending' });
}

/** Only `useChange` and `keepUnsent` make mutations of this key. */
function variablesOf({ state }: Pick<Mutation, 'state'>): UnsentChange {
  return state.variables as UnsentChange;
}

export interface PendingChange {
  readonly name: string;
  readonly variables: UnsentChange;
  /** It waits for the network, or has failed because of it. */
  readonly isWaiting: boolean;
}

/** Changes that are shown and not sent yet, so that they can be undone until then. */
export const planned = createStore<readonly PendingChange[]>([]);

/** Returns the changes that have no response yet, in order; those that are planned come last. */
export function pendingChanges(client: QueryClient): readonly PendingChange[] {
  const unsent = planned.get().filter(({ variables }) => !isDropped(variables));
  return [...sentChanges(client), ...unsent];
}

function sentChanges(client: QueryClient): readonly PendingChange[] {
  return mutationsOf(client)
    .toSorted((one, other) => one.mutationId - other.mutationId)
    .flatMap((mutation) => {
      const name = mutation.options.mutationKey?.at(-1);
      const variables = variablesOf(mutation);
      if (typeof name !== 'string' || hasResponse(variables)) return [];
      return { name, variables, isWaiting: isWaiting(mutation.state) };
    });
}

export interface UnsettledChange {
  readonly name: unknown;
  readonly input: unknown;
}

/** Returns the changes whose queries haven't been fetched again yet, in order. */
export function unsettledChanges(client: QueryClient): readonly UnsettledChange[] {
  return mutationsOf(client)
    .toSorted((one, other) => one.mutationId - other.mutationId)
    .map((mutation) => ({
      name: mutation.options.mutationKey?.at(-1),
      input: variablesOf(mutation).input,
    }));
}

function isWaiting({ failureCount }: MutationState): boolean {
  return failureCount > 0 || !onlineManager.isOnline();
}
