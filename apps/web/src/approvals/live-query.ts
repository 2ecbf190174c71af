import type { Approval } from '@atelier/client';
import { isUnreachable } from '../ui/error-texts.ts';
import { retryDelayMs } from '../ui/query-defaults.ts';
import { refetchInMs } from './refetch.ts';

interface QueryOf<Data> {
  readonly state: {
    readonly data: Data | undefined;
    readonly error: Error | null;
    readonly errorUpdateCount: number;
  };
}

/**
 * Returns options that keep a query of approvals current where no event tells of a change: when one expires, is used, or
 * is decided on by others.
 *
 * @param approvalsIn - the approvals in the data
 */
export function keptCurrent<Data>(approvalsIn: (data: Data) => readonly Approval[]) {
  return {
    refetchOnWindowFocus: 'always' as const,
    refetchInterval: ({ state }: QueryOf<Data>) => {
      if (isUnreachable(state.error)) return retryDelayMs(state);
      return state.data === undefined ? false : refetchInMs(approvalsIn(state.data), Date.now());
    },
  };
}
