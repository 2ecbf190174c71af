import { keepUnsent } from '../unsent/keep.ts';
import { untilLoaded } from '../loading/idle.ts';
import { followDeployments } from './follow-deployments.ts';
import { keepResponses } from './keep.ts';

/** After a deployment, scripts of the build before may not load at all. */
const loadingMs = 5_000;

/** Keeps what is needed to work without a network, and shows what an earlier visit has kept. Call it once. */
export async function start(): Promise<void> {
  // Without storage, all of it lasts until the page is closed.
  await keepResponses().catch(() => {});
  void keepUnsent().catch(() => {});
  const isWithdrawn = import.meta.env.VITE_SHELL_WORKER === 'off';
  // Browsers have no workers for pages of plain HTTP.
  if (import.meta.env.DEV || isWithdrawn || !('serviceWorker' in navigator)) return;
  // A worker takes over from the one before when that has nothing to do. While a browser's tools are open, it isn't told when
  // that is later.
  void untilLoaded(loadingMs)
    .then(followDeployments)
    .catch(() => {});
}
