import { loadWhenIdle } from '../loading/idle.ts';
import { script } from '../loading/script.ts';

const code = script(() => import('../offline/start.ts'));
let started: Promise<void> | undefined;

code.state.subscribe(() => {
  const state = code.state.get();
  if (state.status === 'loaded') started ??= state.module.start();
});

/** Loads what is needed to work without a network after the page. */
export function workOfflineWhenIdle(): void {
  loadWhenIdle(code);
}

/** Settles when what an earlier visit has kept is shown. */
export async function workOffline(): Promise<void> {
  await code.load();
  await started;
}
