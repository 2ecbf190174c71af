import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { checkJournal, checkMails, verify } from '../check.ts';
import { createFindings } from '../findings.ts';
import { drainJobs } from '../jobs.ts';
import { openJournal } from '../journal.ts';
import { work, type Worker } from '../load.ts';
import { forEachConcurrently, createWorker, registerAccounts } from '../accounts.ts';
import { seededRandom } from '../random.ts';
import type { Cluster } from './cluster.ts';
import { restartInTurn, type Restarts } from './restarts.ts';
import { createTally } from './tally.ts';
import { startReceiver } from '../webhooks.ts';

export interface LoadReport {
  readonly seconds: number;
  readonly requests: number;
  readonly acknowledgedWrites: number;
  /** Writes whose response was lost and that were settled by their idempotency keys. */
  readonly settled: number;
  /** Lines with the count of each outcome. */
  readonly outcomes: readonly string[];
  readonly restarts: Restarts;
  /** Outcomes that no restart explains. */
  readonly unexpected: readonly string[];
  /** Differences between the journal and the product. */
  readonly lost: readonly string[];
  readonly webhooks: {
    /** What arrived. */
    readonly summary: string;
    /** Differences between the messages and the activities. */
    readonly findings: readonly string[];
  };
  /** Findings of `pnpm operator verify`. */
  readonly broken: readonly string[];
}

/** The key of an interrupted attempt is free again after 20 seconds. */
const settleSeconds = 60;

/** How many of the clients have a webhook. */
const webhookCount = 20;

/** Has many clients write through the balancer while instances are restarted. */
export async function runLoad(
  cluster: Cluster,
  { clients, seconds, seed }: { clients: number; seconds: number; seed: number },
): Promise<LoadReport> {
  const tally = createTally();
  const random = seededRandom(seed);
  const journal = await openJournal(join(cluster.directory, 'journal.jsonl'));
  const receiver = await startReceiver();
  try {
    const findings = createFindings();
    const harness = { stack: { ...cluster, onOutcome: tally.note }, journal, findings };
    const emails = Array.from({ length: clients }, (_, number) => `client-${number}@example.com`);
    await registerAccounts(cluster, emails);
    const workers: Worker[] = [];
    await forEachConcurrently(emails.entries(), async ([number, email]) => {
      const about = { number, email, random: random.fork(number) };
      workers.push(await createWorker(about, { ...harness, largeUploadShare: 0.002 }));
    });
    await receiver.subscribe(workers.slice(0, webhookCount));

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
    const requests = tally.total();
    const outcomes = tally.lines();
    const settled = await settle(workers);
    const unexpected = [...tally.unexpected(), ...findings.take(), ...restarts.findings];

    await drainJobs(harness);
    const accounts = workers.map(({ account }) => account);
    await checkJournal(harness, accounts, 0);
    await checkMails(harness);
    const lost = findings.take();
    const webhooks = await receiver.check(cluster);
    await verify(harness);
    const broken = findings.take();
    return {
      seconds: tookSeconds,
      requests,
      acknowledgedWrites,
      settled,
      outcomes,
      restarts,
      unexpected,
      lost,
      webhooks,
      broken,
    };
  } finally {
    await receiver.stop();
    await journal.close();
  }
}

/** Repeats every write without a response until it has one. */
async function settle(workers: readonly Worker[]): Promise<number> {
  const deadline = performance.now() + settleSeconds * 1_000;
  let settled = 0;
  await forEachConcurrently(workers, async ({ account, findings }) => {
    for (let next = account.pending.shift(); next; next = account.pending.shift()) {
      const outcome = await account.write(next);
      if (outcome.state === 'acknowledged') settled += 1;
      if (outcome.state !== 'unknown') continue;
      if (performance.now() > deadline) {
        findings.add(`${next.marker} gets no response with its key: ${outcome.because}`);
        return;
      }
      await delay(1_000);
    }
  });
  return settled;
}
