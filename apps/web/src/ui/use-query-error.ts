import { TransportError } from '@atelier/client';
import { useState } from 'react';
import { useOnline } from './use-online.ts';

/** The part of a TanStack query that tells why it has no data. */
export interface FailingQuery {
  readonly data: unknown;
  readonly error: Error | null;
  readonly fetchStatus: 'fetching' | 'paused' | 'idle';
  readonly errorUpdateCount: number;
}

const offline = new TransportError('network', 0);

/**
 * Returns why a query has no data: also while it waits for the network, which is no error for the query, and
 * while it is tried again, so that nothing flickers.
 */
export function useQueryError(query: FailingQuery): Error | null {
  const { data, error, fetchStatus, errorUpdateCount } = query;
  const isOnline = useOnline();
  const [last, setLast] = useState<Error | null>(null);
  if (error && error !== last) setLast(error);
  if (data !== undefined || error) return error;
  if (!isOnline) return offline;
  return fetchStatus === 'fetching' && errorUpdateCount > 0 ? last : null;
}
