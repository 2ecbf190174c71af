import { loadWhenIdle } from '../loading/idle.ts';
import { script } from '../loading/script.ts';

const code = script(() => import('../unsent/keep.ts'));
let isStarted = false;

/** Stores unsent changes in the browser, once its code is loaded after the page. */
export function keepUnsentChanges(): void {
  if (isStarted) return;
  isStarted = true;
  const stop = code.state.subscribe(() => {
    const state = code.state.get();
    if (state.status !== 'loaded') return;
    stop();
    // Without storage, changes last until the page is closed.
    void state.module.keepUnsent().catch(() => {});
  });
  loadWhenIdle(code);
}
