import { MultiBar, Presets } from 'cli-progress';
import { printable, type Terminal } from './terminal.ts';

/** Shows how far transfers are. */
export interface Progress {
  start(name: string, totalBytes: number): { update(bytes: number): void; end(text: string): void };
  stop(): void;
}

/** Bars in a terminal; elsewhere a line for each transfer that ends. */
export function createProgress({ stderr }: Pick<Terminal, 'stderr'>): Progress {
  if (!stderr.isTTY) {
    return {
      start: (name) => ({
        update: () => {},
        end: (text) => void stderr.write(`${printable(name)}: ${text}\n`),
      }),
      stop: () => {},
    };
  }
  const bars = new MultiBar(
    {
      stream: stderr,
      format: '{bar} {percentage}% {name} {text}',
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  return {
    start(name, totalBytes) {
      const bar = bars.create(totalBytes, 0, { name: printable(name), text: '' });
      return {
        update: (bytes) => bar.update(bytes),
        end: (text) => bar.update({ text }),
      };
    },
    stop: () => bars.stop(),
  };
}

/**
 * Works on all items, a limited number at the same time. After a failure it begins no other.
 *
 * @throws the first failure, when none is being worked on
 */
export async function inParallel<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const failing = new AbortController();
  const one = async () => {
    for (const item of left) {
      if (failing.signal.aborted) return;
      await work(item).catch((error: unknown) => failing.abort(error));
    }
  };
  await Promise.all(Array.from({ length: limit }, one));
  failing.signal.throwIfAborted();
}
