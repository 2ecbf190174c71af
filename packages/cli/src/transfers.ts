import { exitCodes, failureOf, PartialFailure, SignInEnded, signInProblem } from './failures.ts';
import { createProgress, type Line, type Progress } from './progress.ts';
import type { Terminal } from './terminal.ts';

interface Transfers<Item> {
  readonly terminal: Terminal;
  /** How many at the same time. */
  readonly parallel: number;
  /** Transfers one. @returns false if it failed, which has been reported */
  readonly transfer: (item: Item, progress: Progress) => Promise<boolean>;
  /** Tells people how many are missing at the end. */
  readonly summary: (missing: number) => string;
}

/**
 * Transfers all items, a limited number at the same time. After an error it begins no other.
 *
 * @throws PartialFailure if some failed, or the first error, when none is being transferred
 */
export async function transferAll<Item>(
  items: readonly Item[],
  { terminal, parallel, transfer, summary }: Transfers<Item>,
): Promise<void> {
  const progress = createProgress(terminal);
  const left = items.values();
  const failing = new AbortController();
  let missing = items.length;
  const one = async () => {
    for (const item of left) {
      if (failing.signal.aborted) return;
      const isDone = await transfer(item, progress).catch((error: unknown) => {
        failing.abort(error);
        return false;
      });
      if (isDone) missing -= 1;
    }
  };
  await Promise.all(Array.from({ length: parallel }, one));
  progress.stop();
  if (missing > 0) terminal.stderr.write(`${summary(missing)}\n`);
  failing.signal.throwIfAborted();
  if (missing > 0) throw new PartialFailure();
}

/**
 * Reports why a transfer failed.
 *
 * @throws SignInEnded if each other transfer would fail too
 */
export function reportFailure(line: Line, error: unknown): void {
  const { exitCode, text } = failureOf(error);
  const isSignedOut = exitCode === exitCodes.signIn;
  line.end(isSignedOut ? signInProblem : (text ?? 'failed'));
  if (isSignedOut) throw new SignInEnded('the sign-in has ended', { cause: error });
}
