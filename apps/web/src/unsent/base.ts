import { notifyManager, type Query, type QueryKey } from '@tanstack/react-query';
import { queryClient } from '../session/query-client.ts';

/** What the server is known to have, without the pending changes that a query shows. */
interface Base {
  readonly data: unknown;
  readonly updatedAt: number;
}

const bases = new WeakMap<Query, Base>();
const cache = queryClient.getQueryCache();

cache.subscribe((event) => {
  if (event.type !== 'updated') return;
  const { action } = event;
  const query = event.query as Query;
  // A reset query may be one of the next user.
  if (action.type === 'setState') bases.delete(query);
  if (action.type !== 'success' || action.manual) return;
  setBase(query, { data: action.data, updatedAt: query.state.dataUpdatedAt });
});

export function baseOf(query: Query): Base | undefined {
  return bases.get(query);
}

export function setBase(query: Query, base: Base): void {
  bases.set(query, base);
}

/** Shows only what the server is known to have, in the queries whose keys have one of these beginnings. */
export function showBases(keys: readonly QueryKey[]): void {
  for (const query of queriesOf(keys)) {
    const base = bases.get(query);
    if (!base || base.data === query.state.data) continue;
    query.setData(base.data, { updatedAt: base.updatedAt, manual: true });
  }
}

/** Records a change as one that the server has. Afterwards, the queries don't show pending changes. */
export function changeBases(keys: readonly QueryKey[], show: () => void): void {
  notifyManager.batch(() => {
    showBases(keys);
    show();
    for (const query of queriesOf(keys)) {
      const base = bases.get(query);
      if (base) setBase(query, { ...base, data: query.state.data });
    }
  });
}

function queriesOf(keys: readonly QueryKey[]): Query[] {
  return keys.flatMap((queryKey) => cache.findAll({ queryKey }));
}
