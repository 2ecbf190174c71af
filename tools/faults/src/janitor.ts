import { verify } from './check.ts';
import { operate } from './operator.ts';
import type { RoundSurroundings } from './round.ts';

/** Longer than an upload may take, and than what nobody refers to is left alone. */
const laterSeconds = 25 * 60 * 60;

/**
 * Lets the janitor come a day later, and holds the storage against the database: then its keys are those
 * that the rows have, and no others.
 *
 * @returns what the janitor did
 */
export async function cleanUpStorage(surroundings: RoundSurroundings): Promise<string> {
  const { stack, findings } = surroundings;
  await stack.storage.kill();
  // The two refuse each other when their clocks differ.
  await stack.storage.start(laterSeconds);
  const { exitCode, stdout, stderr } = await operate(stack, ['storage', '--fix'], laterSeconds);
  await stack.storage.kill();
  await stack.storage.start();
  if (exitCode !== 0) findings.add(`the janitor: ${stderr.trim()}`);
  const left = await verify(surroundings);
  if (left !== '0 expired uploads, 0 multipart uploads, 0 objects') {
    findings.add(`after the janitor there are ${left}`);
  }
  return [...stdout.matchAll(/^(.+): (\d+)$/gm)]
    .filter(([, , count]) => count !== '0')
    .map(([, what, count]) => `${what?.toLowerCase()} ${count}`)
    .join(', ');
}
