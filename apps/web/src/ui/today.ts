import { useSyncExternalStore } from 'react';
import { dayOf, type Day } from './calendar-days.ts';

/** Returns the current day in the user's time zone; renders again at midnight. */
export function useToday(): Day {
  return useSyncExternalStore(atMidnight, today);
}

const today = (): Day => dayOf(Date.now());

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Calls a listener at each midnight, and when the page is shown again: timers stop while a computer sleeps. */
export function atMidnight(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    plan();
    document.addEventListener('visibilitychange', tick);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}

function tick(): void {
  plan();
  for (const listener of listeners) listener();
}

function plan(): void {
  clearTimeout(timer);
  const now = new Date();
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  timer = setTimeout(tick, midnight.getTime() - now.getTime());
}
