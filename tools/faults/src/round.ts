import { setTimeout as delay } from 'node:timers/promises';
import type { Harness } from './account.ts';
import { checkJournal, checkMails, verify, type JournalReport } from './check.ts';
import type { FaultContext } from './faults.ts';
import type { Findings } from './findings.ts';
import { drainJobs } from './jobs.ts';
import { work, type Worker } from './load.ts';
import type { Random } from './random.ts';
import type { Api } from './services/api.ts';
import type { Stack } from './stack.ts';

export interface FaultHarness extends Harness {
  readonly stack: Stack;
}

export interface RoundReport extends JournalReport {
  /** The observed effect of the fault, if it isn't obvious. */
  readonly effect: string | null;
  /** Writes acknowledged after the services were restored. */
  readonly acknowledgedAfter: number;
  readonly findings: readonly string[];
  readonly seconds: number;
}

/** The time limit for the product to recover. */
const recoverySeconds = 30;
/** How many writes all accounts together have to make afterwards. */
const writesAfter = 20;

export interface Injection {
  readonly name: string;
  /** Makes the fault and ends it. May return its observed effect. */
  inject(context: FaultContext): Promise<string | void>;
}

/** Injects a fault while all accounts work, and verifies everything afterwards. */
export async function runRound(
  fault: Injection,
  {
    harness,
    instances,
    workers,
    random,
    since,
  }: {
    harness: Harness;
    /** None of them may exit by itself. */
    instances: readonly Api[];
    workers: readonly Worker[];
    random: Random;
    /** Lines of the journal that were checked before. */
    since: number;
  },
): Promise<RoundReport> {
  const { findings } = harness;
  const started = performance.now();
  let isOver = false;
  let acknowledged = 0;
  const working = workers.map((worker) =>
    work(
      worker,
      () => isOver,
      () => (acknowledged += 1),
    ),
  );
  const allWorkers = Promise.all(working).catch((error: unknown) => {
    findings.add(`an account failed: ${describe(error)}`);
  });
  const holdMs = random.between(300, 1_800);
  await delay(random.between(200, 700));
  const context = { random, hold: () => delay(holdMs) };
  const effect = await fault.inject(context).catch((error: unknown) => {
    findings.add(`${fault.name}: ${describe(error)}`);
  });
  await restartExited(instances, findings);
  if (!(await becomesReady(instances))) {
    findings.add(`not ready ${recoverySeconds} s after it was restored`);
  }
  const before = acknowledged;
  const deadline = performance.now() + recoverySeconds * 1_000;
  while (acknowledged - before < writesAfter && performance.now() < deadline) await delay(50);
  const acknowledgedAfter = acknowledged - before;
  if (acknowledgedAfter < writesAfter) findings.add(`only ${acknowledgedAfter} writes afterwards`);
  isOver = true;
  await allWorkers;
  await drainJobs(harness);
  const report = await verifyAll(harness, workers, since);
  return {
    ...report,
    effect: effect ?? null,
    acknowledgedAfter,
    findings: findings.take(),
    seconds: (performance.now() - started) / 1_000,
  };
}

/**
 * Checks the journal and the invariants.
 *
 * @param since - lines of the journal that were checked before; 0 checks the whole journal
 * @returns the outcomes of the writes in the lines after those
 */
export async function verifyAll(
  harness: Harness,
  workers: readonly Worker[],
  since: number,
): Promise<JournalReport> {
  const accounts = workers.map(({ account }) => account);
  const report = await checkJournal(harness, accounts, since);
  await checkMails(harness);
  await verify(harness);
  return report;
}

/** Restarts APIs that have exited. The fault of another service is no reason to exit. */
async function restartExited(instances: readonly Api[], findings: Findings): Promise<void> {
  for (const [index, api] of instances.entries()) {
    if (api.isRunning) continue;
    findings.add(`API ${index + 1} exited by itself`);
    await api.start();
  }
}

async function becomesReady(instances: readonly Api[]): Promise<boolean> {
  const deadline = performance.now() + recoverySeconds * 1_000;
  while (performance.now() < deadline) {
    const areReady = await Promise.all(
      instances.map(({ url }) =>
        fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    if (areReady.every(Boolean)) return true;
    await delay(50);
  }
  return false;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
