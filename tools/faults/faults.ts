import { join } from 'node:path';
import type { Harness } from './src/account.ts';
import { readOptions, usage, type Options } from './src/command-line.ts';
import { faults, type Fault } from './src/faults.ts';
import { createFindings } from './src/findings.ts';
import { openJournal } from './src/journal.ts';
import { cleanUpStorage } from './src/janitor.ts';
import type { Worker } from './src/load.ts';
import { createWorker, registerAccounts } from './src/accounts.ts';
import { injectAndVerify } from './src/injected-faults.ts';
import { seededRandom, type Random } from './src/random.ts';
import {
  verifyAll,
  runRound,
  type FaultHarness,
  type Injection,
  type RoundReport,
} from './src/round.ts';
import { startStorage } from './src/services/storage.ts';
import { startStack, type Stack } from './src/stack.ts';
import { startReceiver } from './src/webhooks.ts';
import type { Tally } from './src/writes.ts';

const accountCount = 5;
const count = { passed: 0, failed: 0, skipped: 0 };
const total = { acknowledged: 0, unknown: 0, refused: 0 };
/** How often the promises held after each fault. */
const held = new Map(faults.map(({ name }) => [name, 0]));

let running: Promise<Stack> | null = null;
// Postgres and the small disk would outlive this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void Promise.resolve(running)
      .then((stack) => stack?.stop('remove-files'))
      .finally(() => process.exit(1));
  });
}

/** Runs one seed on services of its own. */
async function run(options: Options): Promise<void> {
  const failedBefore = count.failed;
  const random = seededRandom(options.seed);
  console.log(`faults: seed ${options.seed}`);
  const deadline = performance.now() + options.seconds * 1_000;
  running = startStack(startStorage);
  const stack = await running;
  const journal = await openJournal(join(stack.directory, 'journal.jsonl'));
  const receiver = await startReceiver();
  try {
    const harness: FaultHarness = { stack, journal, findings: createFindings() };
    const workers = await registerAll(harness, random);
    await receiver.subscribe(workers);
    const chosen = chooseFaults(options, random);
    let since = 0;
    for (const [index, fault] of chosen.entries()) {
      const isLate = performance.now() > deadline;
      const reason = isLate ? 'the time is up' : (fault.skipReason?.(stack) ?? null);
      if (reason !== null) {
        count.skipped += 1;
        console.log(`skip ${fault.name}: ${reason}`);
        continue;
      }
      const injection: Injection = {
        name: fault.name,
        inject: (context) => fault.inject(stack, context),
      };
      const report = await runRound(injection, {
        harness,
        instances: stack.apis,
        workers,
        random: random.fork(index),
        since,
      });
      since = report.lines;
      record(describe(fault, report), report.findings);
      if (report.findings.length === 0) held.set(fault.name, (held.get(fault.name) ?? 0) + 1);
    }
    const { findings } = harness;
    const sent = await receiver.check(stack);
    record(`webhooks: ${sent.summary}`, sent.findings);
    record(`storage after the janitor: ${await cleanUpStorage(harness)}`, findings.take());
    const all = await verifyAll(harness, workers, 0);
    record(`the whole journal, ${all.lines} lines: ${summary(all)}`, findings.take());
    for (const outcome of ['acknowledged', 'unknown', 'refused'] as const) {
      total[outcome] += all[outcome];
    }
    if (options.injectedFaults) {
      const injected = await injectAndVerify(harness, workers);
      record(`${injected} injected faults, each found`, findings.take());
    }
    if (count.failed > failedBefore) keep(stack);
  } finally {
    running = null;
    await journal.close();
    await receiver.stop();
    await stack.stop(count.failed > failedBefore ? 'keep-files' : 'remove-files');
  }
}

function describe(fault: Fault, report: RoundReport): string {
  const { acknowledgedAfter, effect, seconds } = report;
  const suffix = effect === null ? '' : `; ${effect}`;
  return `${fault.name}: ${summary(report)}; ${acknowledgedAfter} acknowledged afterwards (${seconds.toFixed(1)} s)${suffix}`;
}

function summary({ acknowledged, unknown, refused }: Tally): string {
  return `${acknowledged} writes acknowledged, ${unknown} without a response, ${refused} refused`;
}

function record(what: string, findings: readonly string[]): void {
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
  if (possible.length === 0) throw new TypeError(`No fault has ${only} in its name.`);
  const chosen: Fault[] = [];
  while (chosen.length < rounds) chosen.push(...random.shuffled(possible));
  return chosen.slice(0, rounds);
}

/** Registers the accounts, verifies their emails and logs them in. */
async function registerAll(harness: Harness, random: Random): Promise<Worker[]> {
  const emails = Array.from(
    { length: accountCount },
    (_, number) => `account-${number}@example.com`,
  );
  await registerAccounts(harness.stack, emails);
  return Promise.all(
    emails.map((email, number) => {
      const about = { number, email, random: random.fork(1_000 + number) };
      return createWorker(about, { ...harness, largeUploadShare: 0.05 });
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
  console.log(`In total: ${summary(total)}`);
} catch (error) {
  console.error(error);
  if (error instanceof TypeError) console.error(usage);
  count.failed += 1;
}
const { passed, failed, skipped } = count;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed === 0 ? 0 : 1);
