import type { AnyRouter, RouterHistory } from '@tanstack/react-router';
import { scriptOf } from './component.tsx';
import type { ScriptFailure } from './failure.ts';

import { openLater } from './open-later.ts';
import type { Script, ScriptState } from './script.ts';

type Navigation = Parameters<Parameters<RouterHistory['block']>[0]['blockerFn']>[0];

interface PageRouter extends Pick<AnyRouter, 'subscribe' | 'getMatchedRoutes'> {
  readonly history: RouterHistory;
}

/** The time for a navigation to fail before the address changes; offline, it fails at once. */
const patienceMs = 200;

/**
 * Keeps the present page when the code of the next one can't be loaded: says so, and opens it once it can be
 * loaded, unless the user has gone elsewhere.
 */
export function keepPageWithoutNext(router: PageRouter): void {
  let forget = () => {};
  router.subscribe('onBeforeNavigate', () => forget());
  router.history.block({
    enableBeforeUnload: false,
    async blockerFn({ nextLocation, action }: Navigation) {
      // The page that is gone back from can't be kept.
      if (action !== 'PUSH' && action !== 'REPLACE') return false;
      const [routes] = router.getMatchedRoutes(nextLocation.pathname);
      const scripts = routes.flatMap(({ options }) => scriptOf(options.component) ?? []);
      const failure = await soonFailed(scripts);
      forget();
      if (!failure) return false;
      const { href, state } = nextLocation;
      forget = openLater(failure, {
        href,
        load: async () => failureOf(await Promise.all(scripts.map(({ load }) => load()))),
        open: () => router.history[action === 'PUSH' ? 'push' : 'replace'](href, state),
      });
      return true;
    },
  });
}

/** Returns why one of these can't be loaded, if that is known soon. */
async function soonFailed(scripts: readonly Script<unknown>[]): Promise<ScriptFailure | undefined> {
  if (scripts.every(({ state }) => state.get().status === 'loaded')) return undefined;
  const loads = Promise.all(scripts.map(({ load }) => load()));
  const patience = new Promise<readonly []>((resolve) => {
    setTimeout(() => resolve([]), patienceMs);
  });
  return failureOf(await Promise.race([loads, patience]));
}

function failureOf(states: readonly ScriptState<unknown>[]): ScriptFailure | undefined {
  return states.find((state) => state.status === 'failed')?.failure;
}
