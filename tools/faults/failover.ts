import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createFindings } from './src/findings.ts';
import { createCleanup } from './src/failover/cleanup.ts';
import { createDurations } from './src/failover/durations.ts';
import { failoverFaults, type FailoverFault } from './src/failover/faults.ts';
import { startFailoverStack, type FailoverStack } from './src/failover/stack.ts';
import { createUsers, type FailoverHarness, type Users } from './src/failover/users.ts';
import { openJournal } from './src/journal.ts';
import { findPrograms, MissingProgramsError } from './src/programs.ts';
import { seededRandom } from './src/random.ts';
import { createReport } from './src/report.ts';
import { runRound } from './src/round.ts';

const names = failoverFaults.map(({ name }) => name);
const usage = `Usage: pnpm test:failover [--only FAULT,…] [--seed N]

  Three Postgres servers under Patroni in strict synchronous mode, HAProxy, PgBouncer and two API processes.

  --only  some of: ${names.join(', ')}
  --seed  decides what the users do, by default 1
`;

const { count, record, conclude } = createReport('failover');

function readOptions(): { faults: readonly FailoverFault[]; seed: number } {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, seed: { type: 'string', default: '1' } },
  });
  const wanted = values.only?.split(',') ?? names;
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new TypeError(`There is no fault ${unknown.join(', ')}.`);
  if (!/^\d{1,9}$/.test(values.seed)) throw new TypeError('--seed takes a whole number.');
  const faults = failoverFaults.filter(({ name }) => wanted.includes(name));
  return { faults, seed: Number(values.seed) };
}

async function run({ faults, seed }: ReturnType<typeof readOptions>): Promise<void> {
  const programs = findPrograms(['etcd', 'haproxy', 'patroni', 'pgbouncer']);
  const started = performance.now();
  const cleanup = createCleanup();
  // The servers would outlive this process. A signal to its group may come twice, and ends some of them first.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void cleanup.run().then(() => process.exit(130)));
  }
  process.on('uncaughtException', (error) => {
    console.error(error);
    void cleanup.run().then(() => process.exit(1));
  });
  try {
    const stack = await startFailoverStack(programs, {
      cleanup,
      keepsFiles: () => count.failed > 0,
    });
    await runFaults(stack, { faults, seed, started });
  } catch (error) {
    record('the run completes', [String(error)]);
    throw error;
  } finally {
    await cleanup.run();
  }
}

async function runFaults(
  stack: FailoverStack,
  { faults, seed, started }: ReturnType<typeof readOptions> & { started: number },
): Promise<void> {
  const journal = await openJournal(join(stack.directory, 'journal.jsonl'));
  try {
    const harness: FailoverHarness = { stack, journal, findings: createFindings() };
    const random = seededRandom(seed);
    const durations = createDurations();
    const users = await createUsers(harness, { random, durations });
    console.log(`failover: seed ${seed}, ready after ${seconds(performance.now() - started)} s`);
    let since = 0;
    for (const fault of faults) {
      since = await oneRound(fault, { harness, users, durations, since, random });
    }
    await users.stop();
  } finally {
    await journal.close();
  }
}

/** Injects a fault while everybody works. @returns how many lines the journal has */
async function oneRound(
  fault: FailoverFault,
  {
    harness,
    users,
    durations,
    ...round
  }: {
    harness: FailoverHarness;
    users: Users;
    durations: ReturnType<typeof createDurations>;
    since: number;
    random: ReturnType<typeof seededRandom>;
  },
): Promise<number> {
  const { stack, findings } = harness;
  let isOver = false;
  const rotating = users.rotate(() => isOver);
  durations.take();
  const report = await runRound(
    { name: fault.name, inject: () => fault.inject(stack) },
    { ...round, harness, instances: stack.instances, workers: users.workers },
  );
  isOver = true;
  const rotations = await rotating;
  const slowest = durations.take();
  if (slowest.milliseconds > fault.writeLimitSeconds * 1_000) {
    findings.add(`${slowest.what} took ${seconds(slowest.milliseconds)} s`);
  }
  await users.checkSessions();
  const arrived = await Promise.all(users.streams.map((stream) => stream.check()));
  const resets = users.streams.reduce((sum, stream) => sum + stream.resets(), 0);
  record(`${fault.name}: ${report.effect ?? 'no effect'} (${report.seconds.toFixed(0)} s)`, [
    ...grouped([...report.findings, ...findings.take()]),
  ]);
  console.log(
    [
      `${report.acknowledged} writes acknowledged, ${report.unknown} without a response, ${report.refused} refused`,
      `slowest ${seconds(slowest.milliseconds)} s (${withoutIds(slowest.what)}: ${slowest.attempts.join(', ')})`,
      `${rotations} sessions rotated`,
      `${arrived.reduce((sum, events) => sum + events, 0)} events, ${resets} resets`,
    ]
      .map((line) => `       ${line}`)
      .join('\n'),
  );
  return report.lines;
}

/** Joins findings that differ in ids only. */
function grouped(findings: readonly string[]): string[] {
  const groups = Map.groupBy(findings, withoutIds);
  return [...groups].map(([text, all]) =>
    all.length === 1 ? (all[0] ?? text) : `${all.length} × ${text}, such as ${all[0]}`,
  );
}

function withoutIds(text: string): string {
  return text.replaceAll(/[0-9a-f]{4,}(-[0-9a-f]{4,})+/g, '…').replaceAll(/-\d+(@|\b)/g, '-…$1');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1);
}

try {
  await run(readOptions());
} catch (error) {
  if (error instanceof MissingProgramsError) {
    console.log(`skip failover: ${error.message}`);
    console.log('failover: 0 passed, 0 failed, 1 skipped');
    process.exit(0);
  }
  console.error(error);
  if (error instanceof TypeError) console.error(usage);
  count.failed += count.failed === 0 ? 1 : 0;
}
process.exit(conclude());
