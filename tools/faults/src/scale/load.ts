import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { checkJournal, checkMails, verify } from '../check.ts';
import { createFindings } from '../findings.ts';
import { drainJobs } from '../jobs.ts';
import { openJournal } from '../journal.ts';
import { work, type Worker } from '../load.ts';
import { eachOf, newWorker, openAccounts } from '../newcomers.ts';
import { seededRandom } from '../random.ts';
import type { Cluster } from './cluster.ts';
import { restartInTurn, type Restarts } from './restarts.ts';
import { createTally } from './tally.ts';

export interface LoadReport {
  readonly seconds: number;
  readonly calls: number;
  readonly acknowledgedWrites: number;
  /** Calls whose answer was lost, and that are known by now: their keys were used again. */
  readonly settled: number;
  readonly heard: readonly string[];
  readonly restarts: Restarts;
  /** What had no reason, of answers. */
  readonly unexpected: readonly string[];
  /** What is not as the journal says. */
  readonly lost: readonly string[];
  /** What `pnpm operator verify` found. */
  readonly broken: readonly string[];
}

/** A key of an attempt that was cut is free again after a minute. */
const settleSeconds = 120;

/** Many clients write by the balancer for a time, while instances come and go. */
export async function runLoad(
  cluster: Cluster,
  { clients, seconds, seed }: { clients: number; seconds: number; seed: number },
): Promise<LoadReport> {
  const tally = createTally();
  const random = seededRandom(seed);
  const journal = await openJournal(join(cluster.directory, 'journal.jsonl'));
  try {
    const findings = createFindings();
    const surroundings = { stack: { ...cluster, onOutcome: tally.note }, journal, findings };
    const emails = Array.from({ length: clients }, (_, number) => `client-${number}@example.com`);
    await openAccounts(cluster, emails);
    const workers: Worker[] = [];
    await eachOf(emails.entries(), async ([number, email]) => {
      const about = { number, email, random: random.fork(number) };
      workers.push(await newWorker(about, { ...surroundings, largeUploadShare: 0.002 }));
    });

    let isOver = false;
    let acknowledgedWrites = 0;
    const restarting = restartInTurn(cluster, tally, () => isOver);
    const started = performance.now();
    const working = workers.map((worker) =>
      work(
        worker,
        () => isOver,
        () => (acknowledgedWrites += 1),
      ),
    );
    await Promise.race([delay(seconds * 1_000), Promise.all(working)]);
    isOver = true;
    await Promise.all(working);
    const tookSeconds = (performance.now() - started) / 1_000;
    const restarts = await restarting;
    await cluster.becomeReady();
    const calls = tally.total();
    const heard = tally.lines();
    const settled = await settle(workers);
    const unexpected = [...tally.unexpected(), ...findings.take(), ...restarts.findings];

    await drainJobs(surroundings);
    const accounts = workers.map(({ account }) => account);
    await checkJournal(surroundings, accounts, 0);
    await checkMails(surroundings);
    const lost = findings.take();
    await verify(surroundings);
    const broken = findings.take();
    return {
      seconds: tookSeconds,
      calls,
      acknowledgedWrites,
      settled,
      heard,
      restarts,
      unexpected,
      lost,
      broken,
    };
  } finally {
    await journal.close();
  }
}

/** Has every write whose answer was lost answered under its key. */
async function settle(workers: readonly Worker[]): Promise<number> {
  const deadline = performance.now() + settleSeconds * 1_000;
  let settled = 0;
  await eachOf(workers, async ({ account, findings }) => {
    for (let next = account.pending.shift(); next; next = account.pending.shift()) {
      const outcome = await account.write(next);
      if (outcome.state === 'acknowledged') settled += 1;
      if (outcome.state !== 'unknown') continue;
      if (performance.now() > deadline) {
        findings.add(`${next.marker} is never answered under its key: ${outcome.because}`);
        return;
      }
      await delay(1_000);
    }
  });
  return settled;
}
