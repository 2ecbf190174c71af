import { texts } from '../texts/loading.ts';
import { texts as shared } from '../texts/shared.ts';
import { dismissNotice, notify } from '../ui/notices.tsx';
import type { ScriptFailure } from './failure.ts';
import { retryOnline } from './retry.ts';

interface LaterPage {
  readonly href: string;
  /** Loads its code and returns why it can't be loaded. */
  readonly load: () => Promise<ScriptFailure | undefined>;
  readonly open: () => void;
}

const topic = 'page';

/**
 * Says that a page can't be opened yet, and opens it when it can be loaded.
 *
 * @returns what drops it
 */
export function openLater(first: ScriptFailure, { href, load, open }: LaterPage): () => void {
  let isDropped = false;
  let shown: ScriptFailure | undefined;

  function say(failure: ScriptFailure): void {
    if (failure === shown) return;
    shown = failure;
    const reload = { label: texts.reload, run: () => location.assign(href) };
    const action = failure === 'replaced' ? reload : { label: shared.retry, run: retryNow };
    notify(texts.page[failure], { tone: 'info', topic, isLasting: true, action });
  }

  async function retry(): Promise<void> {
    const failure = await load();
    if (isDropped) return;
    if (failure) return say(failure);
    drop();
    open();
  }

  function retryNow(): void {
    // The click has dismissed the notice.
    shown = undefined;
    void retry();
  }

  const stop = retryOnline(() => void retry());
  function drop(): void {
    isDropped = true;
    stop();
    dismissNotice(topic);
  }
  say(first);
  return drop;
}
