import { onlineManager, type QueryClientConfig } from '@tanstack/react-query';
import { isUnreachable } from './error-texts.ts';

const minRetryMs = 4000;

// It assumes a network until the first event.
onlineManager.setOnline(navigator.onLine);

/** Returns how long to wait before a failed query is sent again. */
export function retryDelayMs({ errorUpdateCount }: { readonly errorUpdateCount: number }): number {
  return minRetryMs * 2 ** Math.min(errorUpdateCount - 1, 3);
}

/** How every query is repeated, unless it says something else. */
export const queryDefaults: NonNullable<
  NonNullable<QueryClientConfig['defaultOptions']>['queries']
> = {
  // The API client already retries safe requests.
  retry: false,
  // Live updates invalidate changed data; this covers the rest.
  staleTime: 30_000,
  throwOnError: false,
  // The browser doesn't notice every network that is back.
  refetchInterval: ({ state }) => isUnreachable(state.error) && retryDelayMs(state),
};
