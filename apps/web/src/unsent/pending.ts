import type { MutationKey, MutationState, QueryClient } from '@tanstack/react-query';
import type { UnsentChange } from './change.ts';

/** Beginning of the keys of these mutations, which are optimistic ones of the client. */
export const unsentKey = ['atelier', 'optimistic', 'unsent'] as const;

export function changeKey(name: string): MutationKey {
  return [...unsentKey, name];
}

/** Idempotency keys of changes whose mutations are pending only until their queries have been fetched again. */
const answered = new Set<string>();

/** Records that a change has its response: it is no longer shown or stored. */
export function markAnswered({ idempotencyKey }: UnsentChange): void {
  answered.add(idempotencyKey);
}

export interface PendingChange {
  readonly name: string;
  readonly variables: UnsentChange;
  /** It waits for the network, or has failed because of it. */
  readonly isWaiting: boolean;
}

/** Returns the changes that have no response yet, in order. */
export function pendingChanges(client: QueryClient): readonly PendingChange[] {
  return client
    .getMutationCache()
    .findAll({ mutationKey: unsentKey, status: 'pending' })
    .toSorted((one, other) => one.mutationId - other.mutationId)
    .flatMap(({ state, options }) => {
      const name = options.mutationKey?.at(-1);
      if (typeof name !== 'string') return [];
      // Only `useChange` and `keepUnsent` make mutations of this key.
      const variables = state.variables as UnsentChange;
      if (answered.has(variables.idempotencyKey)) return [];
      return { name, variables, isWaiting: isWaiting(state) };
    });
}

function isWaiting({ failureCount }: MutationState): boolean {
  return failureCount > 0 || !navigator.onLine;
}
