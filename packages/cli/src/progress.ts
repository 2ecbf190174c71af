import { MultiBar, Presets } from 'cli-progress';
import { atInterruption } from './interruption.ts';
import { print, printable, type Result, type Terminal } from './terminal.ts';

/** Shows how far a transfer is. */
export interface Line {
  update(bytes: number): void;
  end(text: string): void;
}

/** Shows how far transfers are. */
export interface Progress {
  start(name: string, totalBytes: number): Line;
  /** Prints a result, above the bars. */
  print(result: Result): void;
  stop(): void;
}

type Outputs = Pick<Terminal, 'stdout' | 'stderr'>;

/** Bars in a terminal; elsewhere a line for each transfer that ends. */
export function createProgress({ stdout, stderr }: Outputs): Progress {
  if (!stderr.isTTY) {
    return {
      start: (name) => ({
        update: () => {},
        end: (text) => void stderr.write(`${printable(name)}: ${text}\n`),
      }),
      print: (result) => print({ stdout }, result),
      stop: () => {},
    };
  }
  const bars = new MultiBar(
    {
      stream: stderr,
      format: '{bar} {percentage}% {name}',
      hideCursor: true,
      clearOnComplete: true,
      // A bar moves when one above it ends.
      forceRedraw: true,
    },
    Presets.shades_classic,
  );
  /** Clears the bars, which follow again, and wraps long lines meanwhile: those of bars are cut off. */
  const logged = { write: (lines: string) => bars.log(`\u001B[J\u001B[?7h${lines}\u001B[?7l`) };
  // The cursor is hidden, and long lines are cut off, until the bars stop.
  const release = atInterruption(() => bars.stop());
  return {
    start(name, totalBytes) {
      const bar = bars.create(totalBytes, 0, { name: printable(name) });
      return {
        update: (bytes) => bar.update(bytes),
        end(text) {
          logged.write(`${printable(name)}: ${text}\n`);
          // A terminal replaces what is on its rows only, and there may be more transfers than rows.
          bars.remove(bar);
        },
      };
    },
    print: (result) => print({ stdout: stdout.isTTY ? logged : stdout }, result),
    stop() {
      release();
      // Writes what has been logged since.
      bars.update();
      bars.stop();
    },
  };
}
