import type { Suggestion } from '@atelier/client';
import { recentKey } from '../session/recent-key.ts';

/** What was opened from a search. */
export type Recent = Pick<
  Suggestion,
  'type' | 'id' | 'organizationId' | 'title' | 'key' | 'context'
>;

interface Stored {
  readonly userId: string;
  readonly items: readonly Recent[];
}

const maxRecent = 20;

/** Returns what a user opened last from a search, the newest first. */
export function recentOf(userId: string): readonly Recent[] {
  try {
    // Only this module writes it.
    const stored = JSON.parse(localStorage.getItem(recentKey) ?? 'null') as Stored | null;
    return stored?.userId === userId ? stored.items : [];
  } catch {
    return [];
  }
}

/** Keeps what a user opens. */
export function rememberRecent(userId: string, opened: Recent): void {
  const { type, id, organizationId, title, key, context } = opened;
  const others = recentOf(userId).filter((one) => one.type !== type || one.id !== id);
  const items = [{ type, id, organizationId, title, key, context }, ...others].slice(0, maxRecent);
  try {
    localStorage.setItem(recentKey, JSON.stringify({ userId, items } satisfies Stored));
  } catch {
    // Without storage, the palette starts without them.
  }
}
