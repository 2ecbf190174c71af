import { LRUCache } from 'lru-cache';

/** More than the service's frequent statements; a list of values creates a text for each length. */
const maxSeen = 500;
const seen = new LRUCache<string, true>({ max: maxSeen });

/** Whether a statement's text has come before, in any transaction. */
export function wasSeen(text: string): boolean {
  if (seen.get(text)) return true;
  seen.set(text, true);
  return false;
}
