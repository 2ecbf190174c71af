import { join } from 'node:path';
import type { Surroundings } from './src/account.ts';
import { readOptions, usage, type Options } from './src/command-line.ts';
import { faults, type Fault } from './src/faults.ts';
import { createFindings } from './src/findings.ts';
import { openJournal } from './src/journal.ts';
import { cleanUpStorage } from './src/janitor.ts';
import type { Worker } from './src/load.ts';
import { newWorker, openAccounts } from './src/newcomers.ts';
import { plantAndLook } from './src/plants.ts';
import { seededRandom, type Random } from './src/random.ts';
import {
  lookAtEverything,
  runRound,
  type RoundReport,
  type RoundSurroundings,
} from './src/round.ts';
import { startStack, type Stack } from './src/stack.ts';
import type { Tally } from './src/writes.ts';

const accountCount = 5;
const count = { passed: 0, failed: 0, skipped: 0 };
const total = { acknowledged: 0, unknown: 0, refused: 0 };
/** How often each fault was made, and the promises held. */
const held = new Map(faults.map(({ name }) => [name, 0]));

let running: Promise<Stack> | null = null;
// Postgres and the small disk outlive this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void Promise.resolve(running)
      .then((stack) => stack?.stop('remove-files'))
      .finally(() => process.exit(1));
  });
}

/** One seed, with services of its own. */
async function run(options: Options): Promise<void> {
  const failedBefore = count.failed;
  const random = seededRandom(options.seed);
  console.log(`faults: seed ${options.seed}`);
  const deadline = performance.now() + options.seconds * 1_000;
  running = startStack();
  const stack = await running;
  const journal = await openJournal(join(stack.directory, 'journal.jsonl'));
  try {
    const surroundings: RoundSurroundings = { stack, journal, findings: createFindings() };
    const workers = await registerAll(surroundings, random);
    const chosen = chooseFaults(options, random);
    let since = 0;
    for (const [index, fault] of chosen.entries()) {
      const isLate = performance.now() > deadline;
      const reason = isLate ? 'the time is over' : (fault.whyNot?.(stack) ?? null);
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
      tell(describe(fault, report), report.findings);
      if (report.findings.length === 0) held.set(fault.name, (held.get(fault.name) ?? 0) + 1);
    }
    const { findings } = surroundings;
    tell(`storage after the janitor: ${await cleanUpStorage(surroundings)}`, findings.take());
    const all = await lookAtEverything(surroundings, workers, 0);
    tell(`the whole journal, ${all.lines} lines: ${summary(all)}`, findings.take());
    for (const outcome of ['acknowledged', 'unknown', 'refused'] as const) {
      total[outcome] += all[outcome];
    }
    if (options.plants) {
      const plants = await plantAndLook(surroundings, workers);
      tell(`${plants} broken promises planted, and looked for`, findings.take());
    }
    if (count.failed > failedBefore) keep(stack);
  } finally {
    running = null;
    await journal.close();
    await stack.stop(count.failed > failedBefore ? 'keep-files' : 'remove-files');
  }
}

function describe(fault: Fault, report: RoundReport): string {
  const { acknowledgedAfter, seen, seconds } = report;
  const effect = seen === null ? '' : `; ${seen}`;
  return `${fault.name}: ${summary(report)}; ${acknowledgedAfter} acknowledged afterwards (${seconds.toFixed(1)} s)${effect}`;
}

function summary({ acknowledged, unknown, refused }: Tally): string {
  return `${acknowledged} writes acknowledged, ${unknown} unanswered, ${refused} refused`;
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
  const options = readOptions(process.argv.slice(2), faults.length);
  for (let index = 0; index < options.seeds; index += 1) {
    await run({ ...options, seed: options.seed + index });
  }
  const times = [...held].map(([name, count]) => `  ${count} × ${name}`);
  console.log(['The promises held after', ...times].join('\n'));
  console.log(`In all: ${summary(total)}`);
} catch (error) {
  console.error(error);
  if (error instanceof TypeError) console.error(usage);
  count.failed += 1;
}
const { passed, failed, skipped } = count;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed === 0 ? 0 : 1);
