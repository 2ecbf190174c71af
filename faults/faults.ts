import { join } from 'node:path';
import type { Surroundings } from './src/account.ts';
import { readOptions, usage, type Options } from './src/command-line.ts';
import { faults, type Fault } from './src/faults.ts';
import { createFindings } from './src/findings.ts';
import { openJournal } from './src/journal.ts';
import type { Worker } from './src/load.ts';
import { newWorker, openAccounts } from './src/newcomers.ts';
import { seededRandom, type Random } from './src/random.ts';
import { lookAtEverything, runRound, type RoundSurroundings } from './src/round.ts';
import { startStack, type Stack } from './src/stack.ts';

const accountCount = 5;
const count = { passed: 0, failed: 0, skipped: 0 };

async function run(options: Options): Promise<void> {
  const random = seededRandom(options.seed);
  console.log(`faults: seed ${options.seed}`);
  const deadline = performance.now() + options.seconds * 1_000;
  const stack = await startStack();
  const journal = await openJournal(join(stack.directory, 'journal.jsonl'));
  try {
    const surroundings: RoundSurroundings = { stack, journal, findings: createFindings() };
    const workers = await registerAll(surroundings, random);
    const chosen = chooseFaults(options, random);
    let since = 0;
    for (const [index, fault] of chosen.entries()) {
      if (performance.now() > deadline) break;
      const reason = fault.whyNot?.(stack) ?? null;
      if (reason !== null) {
        count.skipped += 1;
        console.log(`skip ${fault.name}: ${reason}`);
        continue;
      }
      const report = await runRound(fault, {
        surroundings,
        workers,
        random: random.fork(index),
        since,
      });
      since = report.lines;
      const { findings, acknowledged, acknowledgedAfter, seconds } = report;
      tell(
        `${fault.name}: ${acknowledged} writes acknowledged, ${acknowledgedAfter} of them afterwards (${seconds.toFixed(1)} s)`,
        findings,
      );
    }
    const lines = await lookAtEverything(surroundings, workers, 0);
    tell(
      `all that was ever acknowledged: ${lines} lines of the journal`,
      surroundings.findings.take(),
    );
    if (count.failed > 0) keep(stack);
  } finally {
    await journal.close();
    await stack.stop(count.failed > 0 ? 'keep-files' : 'remove-files');
  }
}

function tell(what: string, findings: readonly string[]): void {
  const isGood = findings.length === 0;
  console.log(`${isGood ? 'ok  ' : 'FAIL'} ${what}`);
  for (const finding of findings.slice(0, 20)) console.log(`       ${finding}`);
  count[isGood ? 'passed' : 'failed'] += 1;
}

function keep({ directory }: Stack): void {
  console.log(`Logs and journal: ${directory}`);
}

function chooseFaults({ rounds, only }: Options, random: Random): Fault[] {
  const possible = faults.filter(({ name }) => name.includes(only));
  if (possible.length === 0) throw new TypeError(`No fault is called ${only}.`);
  const chosen: Fault[] = [];
  while (chosen.length < rounds) chosen.push(...random.shuffled(possible));
  return chosen.slice(0, rounds);
}

/** Accounts that have proven their mailboxes, and are logged in. */
async function registerAll(surroundings: Surroundings, random: Random): Promise<Worker[]> {
  const emails = Array.from(
    { length: accountCount },
    (_, number) => `account-${number}@example.com`,
  );
  await openAccounts(surroundings.stack, emails);
  return Promise.all(
    emails.map((email, number) => {
      const about = { number, email, random: random.fork(1_000 + number) };
      return newWorker(about, { ...surroundings, largeUploadShare: 0.05 });
    }),
  );
}

try {
  await run(readOptions(process.argv.slice(2), faults.length));
} catch (error) {
  console.error(error);
  if (error instanceof TypeError) console.error(usage);
  count.failed += 1;
}
const { passed, failed, skipped } = count;
console.log(
  `faults: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
);
process.exit(failed === 0 ? 0 : 1);
