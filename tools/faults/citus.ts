import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findCitus } from '../../apps/api/src/testing/citus/place.ts';
import { citusFaults, type CitusFault } from './src/citus/faults.ts';
import { createOutcomes } from './src/citus/outcomes.ts';
import { startCitusStack, type CitusStack } from './src/citus/stack.ts';
import { createUsers, type CitusHarness } from './src/citus/users.ts';
import { createFindings } from './src/findings.ts';
import { createCleanup } from './src/failover/cleanup.ts';
import { openJournal } from './src/journal.ts';
import { seededRandom } from './src/random.ts';
import { createReport } from './src/report.ts';
import { runRound } from './src/round.ts';

const names = citusFaults.map(({ name }) => name);
const usage = `Usage: pnpm test:citus:faults [--only FAULT,…] [--clients N] [--seed N]

  A Citus coordinator, two workers and two API processes. A worker is killed, frozen, added and removed, and the
  coordinator killed between a commit of a worker and its own, while clients write.

  --only     some of: ${names.join(', ')}
  --clients  how many write for each worker, by default 20
  --seed     decides what they write, by default 1
`;

const { count, record, conclude } = createReport('citus-faults');

interface Options {
  readonly faults: readonly CitusFault[];
  readonly clients: number;
  readonly seed: number;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      clients: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
    },
  });
  const wanted = values.only?.split(',') ?? names;
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new TypeError(`There is no fault ${unknown.join(', ')}.`);
  for (const name of ['clients', 'seed'] as const) {
    if (!/^\d{1,9}$/.test(values[name])) throw new TypeError(`--${name} takes a whole number.`);
  }
  const faults = citusFaults.filter(({ name }) => wanted.includes(name));
  return { faults, clients: Number(values.clients), seed: Number(values.seed) };
}

async function run(options: Options, extensionsDir: string): Promise<void> {
  const cleanup = createCleanup();
  // The servers would outlive this process. A signal to its group may come twice, and ends some of them first.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void cleanup.run().then(() => process.exit(130)));
  }
  try {
    const keepsFiles = () => count.failed > 0;
    await runFaults(await startCitusStack(extensionsDir, { cleanup, keepsFiles }), options);
  } catch (error) {
    record('the run completes', [String(error)]);
    throw error;
  } finally {
    await cleanup.run();
  }
}

async function runFaults(stack: CitusStack, { faults, clients, seed }: Options): Promise<void> {
  const journal = await openJournal(join(stack.directory, 'journal.jsonl'));
  const harness: CitusHarness = {
    stack,
    journal,
    findings: createFindings(),
    outcomes: createOutcomes(),
  };
  const random = seededRandom(seed);
  const users = await createUsers(harness, { clients, random });
  try {
    console.log(
      `citus-faults: ${users.workers.length} clients of ${stack.cluster.workers.length} workers, seed ${seed}`,
    );
    let since = 0;
    for (const fault of faults) {
      const report = await runRound(
        { name: fault.name, inject: () => fault.inject(harness, users) },
        { harness, instances: stack.apis, workers: users.workers, random, since },
      );
      since = report.lines;
      const arrived = await Promise.all(users.streams.map((stream) => stream.check()));
      const resets = users.streams.reduce((sum, stream) => sum + stream.resets(), 0);
      record(`${fault.name}: ${report.effect ?? 'no effect'}`, [
        ...report.findings,
        ...harness.findings.take(),
      ]);
      console.log(
        `       ${report.acknowledged} writes acknowledged, ${report.unknown} without a response, ${report.refused} refused; ` +
          `${arrived.reduce((sum, events) => sum + events, 0)} events, ${resets} resets (${report.seconds.toFixed(0)} s)`,
      );
    }
  } finally {
    await users.stop();
    await journal.close();
  }
}

try {
  const options = readOptions();
  const place = findCitus(process.env, join(import.meta.dirname, '../..'));
  if (place?.kind !== 'folder') {
    console.log(
      'skip citus-faults: set CITUS_DIR to a folder with the lib and extension of Citus for the bundled Postgres.',
    );
    console.log('citus-faults: 0 passed, 0 failed, 1 skipped');
    process.exit(0);
  }
  await run(options, place.path);
} catch (error) {
  console.error(error);
  if (error instanceof TypeError) console.error(usage);
  count.failed += count.failed === 0 ? 1 : 0;
}
process.exit(conclude());
