import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { dismissNotice, notify } from './notices.tsx';
import { useUnloadWarning } from './use-unload-warning.ts';

const topic = 'kept-page';

/** What to do before the page is left, the last one first. */
const demands: string[] = [];

/** Tells whether the page must not be left now, and says what to do first. */
export function isPageKept(): boolean {
  const demand = demands.at(-1);
  if (demand === undefined) return false;
  notify(demand, { tone: 'info', topic });
  return true;
}

/**
 * Keeps the page while the component shows what can't be shown again: the app doesn't leave it, also not by the history of the
 * browser, and the browser asks before it does.
 *
 * @param demand - says what to do first
 */
export function useKeptPage(demand: string): void {
  useUnloadWarning();
  useBlocker({ shouldBlockFn: isPageKept, enableBeforeUnload: false });
  useEffect(() => {
    demands.push(demand);
    return () => {
      demands.splice(demands.lastIndexOf(demand), 1);
      dismissNotice(topic);
    };
  }, [demand]);
}
