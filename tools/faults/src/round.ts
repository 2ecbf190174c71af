import { setTimeout as delay } from 'node:timers/promises';
import type { Surroundings } from './account.ts';
import { checkJournal, checkMails, verify, type JournalReport } from './check.ts';
import type { Fault } from './faults.ts';
import { drainJobs } from './jobs.ts';
import { work, type Worker } from './load.ts';
import type { Random } from './random.ts';
import type { Stack } from './stack.ts';

export interface RoundSurroundings extends Surroundings {
  readonly stack: Stack;
}

export interface RoundReport extends JournalReport {
  /** What the fault was seen to do, where that is not plain. */
  readonly seen: string | null;
  /** Writes acknowledged after everything was mended. */
  readonly acknowledgedAfter: number;
  readonly findings: readonly string[];
  readonly seconds: number;
}

/** Longest until everything has to answer again, in seconds. */
const recoverySeconds = 30;
/** Writes of which everybody together has to make that many afterwards. */
const writesAfter = 20;

/** A fault amid the work of all accounts, and a look at everything afterwards. */
export async function runRound(
  fault: Fault,
  {
    surroundings,
    workers,
    random,
    since,
  }: {
    surroundings: RoundSurroundings;
    workers: readonly Worker[];
    random: Random;
    /** Lines of the journal that were looked at before. */
    since: number;
  },
): Promise<RoundReport> {
  const { stack, findings } = surroundings;
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
  const everybody = Promise.all(working).catch((error: unknown) => {
    findings.add(`an account could not go on: ${describe(error)}`);
  });
  const holdMs = random.between(300, 1_800);
  await delay(random.between(200, 700));
  const occasion = { random, hold: () => delay(holdMs) };
  const seen = await fault.strike(stack, occasion).catch((error: unknown) => {
    findings.add(`${fault.name}: ${describe(error)}`);
  });
  await startWhatEnded(surroundings);
  if (!(await becomesReady(stack)))
    findings.add(`not ready ${recoverySeconds} s after it was mended`);
  const before = acknowledged;
  const deadline = performance.now() + recoverySeconds * 1_000;
  while (acknowledged - before < writesAfter && performance.now() < deadline) await delay(50);
  const acknowledgedAfter = acknowledged - before;
  if (acknowledgedAfter < writesAfter) findings.add(`only ${acknowledgedAfter} writes afterwards`);
  isOver = true;
  await everybody;
  await drainJobs(surroundings);
  const report = await lookAtEverything(surroundings, workers, since);
  return {
    ...report,
    seen: seen ?? null,
    acknowledgedAfter,
    findings: findings.take(),
    seconds: (performance.now() - started) / 1_000,
  };
}

/**
 * Checks the journal and the invariants.
 *
 * @param since - lines of the journal that a look before this one has seen; 0: all of it
 * @returns what came of the writes of the lines after those
 */
export async function lookAtEverything(
  surroundings: Surroundings,
  workers: readonly Worker[],
  since: number,
): Promise<JournalReport> {
  const accounts = workers.map(({ account }) => account);
  const report = await checkJournal(surroundings, accounts, since);
  await checkMails(surroundings);
  await verify(surroundings);
  return report;
}

/** No fault of another is a reason for an API to end. */
async function startWhatEnded({ stack, findings }: RoundSurroundings): Promise<void> {
  for (const [index, api] of stack.apis.entries()) {
    if (api.isRunning) continue;
    findings.add(`API ${index + 1} ended by itself`);
    await api.start();
  }
}

async function becomesReady({ apis }: Stack): Promise<boolean> {
  const deadline = performance.now() + recoverySeconds * 1_000;
  while (performance.now() < deadline) {
    const answers = await Promise.all(
      apis.map(({ url }) =>
        fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    if (answers.every(Boolean)) return true;
    await delay(50);
  }
  return false;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
