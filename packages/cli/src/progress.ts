import { MultiBar, Presets } from 'cli-progress';
import { atSignals } from './signals.ts';
import { printable, type Terminal } from './terminal.ts';

/** Shows how far a transfer is. */
export interface Line {
  update(bytes: number): void;
  end(text: string): void;
}

/** Shows how far transfers are. */
export interface Progress {
  start(name: string, totalBytes: number): Line;
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
  // The cursor is hidden, and long lines are cut off, until the bars stop.
  const release = atSignals(() => bars.stop());
  return {
    start(name, totalBytes) {
      const bar = bars.create(totalBytes, 0, { name: printable(name), text: '' });
      return {
        update: (bytes) => bar.update(bytes),
        end: (text) => bar.update({ text }),
      };
    },
    stop() {
      release();
      bars.stop();
    },
  };
}
