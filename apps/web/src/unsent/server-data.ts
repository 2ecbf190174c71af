import { notifyManager, type Query, type QueryKey } from '@tanstack/react-query';
import { queryClient } from '../session/query-client.ts';

/** What the server is known to have, without the pending changes that a query shows. */
interface ServerData {
  readonly data: unknown;
  readonly updatedAt: number;
}

const serverData = new WeakMap<Query, ServerData>();
const cache = queryClient.getQueryCache();

cache.subscribe((event) => {
  if (event.type !== 'updated') return;
  const { action } = event;
  const query = event.query as Query;
  // A reset query may be one of the next user.
  if (action.type === 'setState') serverData.delete(query);
  if (action.type !== 'success' || action.manual) return;
  setServerData(query, { data: action.data, updatedAt: query.state.dataUpdatedAt });
});

export function serverDataOf(query: Query): ServerData | undefined {
  return serverData.get(query);
}

export function setServerData(query: Query, known: ServerData): void {
  serverData.set(query, known);
}

/** Shows only what the server is known to have, in the queries whose keys have one of these beginnings. */
export function showServerData(keys: readonly QueryKey[]): void {
  for (const query of queriesOf(keys)) {
    const known = serverData.get(query);
    if (!known || known.data === query.state.data) continue;
    query.setData(known.data, { updatedAt: known.updatedAt, manual: true });
  }
}

/** Records a change as one that the server has. Afterwards, the queries don't show pending changes. */
export function changeServerData(keys: readonly QueryKey[], show: () => void): void {
  notifyManager.batch(() => {
    showServerData(keys);
    show();
    for (const query of queriesOf(keys)) {
      const known = serverData.get(query);
      if (known) setServerData(query, { ...known, data: query.state.data });
    }
  });
}

function queriesOf(keys: readonly QueryKey[]): Query[] {
  return keys.flatMap((queryKey) => cache.findAll({ queryKey }));
}
