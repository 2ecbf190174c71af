import { verify } from './check.ts';
import { operate } from './operator.ts';
import type { FaultHarness } from './round.ts';

/** Longer than an upload may take, and than the grace period of unreferenced objects. */
const laterSeconds = 25 * 60 * 60;

/**
 * Runs the janitor as of a day later, and compares storage and database: every key belongs to a row, and
 * every row has its object.
 *
 * @returns what the janitor removed
 */
export async function cleanUpStorage(harness: FaultHarness): Promise<string> {
  const { stack, findings } = harness;
  await stack.storage.kill();
  // The storage rejects signatures if the clocks differ.
  await stack.storage.start(laterSeconds);
  const { exitCode, stdout, stderr } = await operate(stack, ['storage', '--fix'], laterSeconds);
  await stack.storage.kill();
  await stack.storage.start();
  if (exitCode !== 0) findings.add(`the janitor: ${stderr.trim()}`);
  const left = await verify(harness);
  if (left !== '0 expired uploads, 0 multipart uploads, 0 objects') {
    findings.add(`after the janitor, ${left} are left`);
  }
  return [...stdout.matchAll(/^(.+): (\d+)$/gm)]
    .filter(([, , count]) => count !== '0')
    .map(([, what, count]) => `${what?.toLowerCase()} ${count}`)
    .join(', ');
}
