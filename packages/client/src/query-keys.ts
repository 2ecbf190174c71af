import type { QueryKey } from '@tanstack/react-query';
import { staleGroups } from './generated/stale-groups.ts';
import type { ResourceType } from './generated/types.ts';

/** The key that all keys begin with. */
export const rootKey: readonly ['atelier'] = ['atelier'];

/** Returns the beginnings of the keys of all queries that a change of the resource makes stale. */
export function staleKeys(resource: ResourceType): QueryKey[] {
  // A newer service may have more types of resources.
  const groups: string | undefined = staleGroups[resource];
  return groups?.split(' ').map((group) => [...rootKey, group]) ?? [];
}
