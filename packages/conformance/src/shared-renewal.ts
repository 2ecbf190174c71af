import { NotRun } from './findings.ts';
import type { Probe } from './probe.ts';

/**
 * Shares a renewal among the checks that start while it runs. The check that began it reports why it fails.
 *
 * @param reason - why the others are not run then
 */
export function sharedRenewal(
  renew: (probe: Probe) => Promise<void>,
  reason: string,
): (probe: Probe) => Promise<void> {
  let pending: Promise<void> | null = null;
  return async (probe) => {
    const isFirst = pending === null;
    pending ??= renew(probe).finally(() => {
      pending = null;
    });
    try {
      await pending;
    } catch (error) {
      throw isFirst ? error : new NotRun(reason);
    }
  };
}
