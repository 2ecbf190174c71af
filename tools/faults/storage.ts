import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkConformance, prettyReport } from '@atelier/conformance';
import { freePorts } from '@atelier/devstack';
import { createWorker, registerAccounts } from './src/accounts.ts';
import { createFindings } from './src/findings.ts';
import { openJournal } from './src/journal.ts';
import type { Worker } from './src/load.ts';
import { operate } from './src/operator.ts';
import { findPrograms, MissingProgramsError } from './src/programs.ts';
import { seededRandom } from './src/random.ts';
import { createReport } from './src/report.ts';
import { runRound, verifyAll, type FaultHarness } from './src/round.ts';
import { startCeph, type Ceph, type CephPrograms } from './src/services/ceph.ts';
import { startStack, type Stack } from './src/stack.ts';
import { storageFaults } from './src/storage-faults.ts';

const usage = `Usage: pnpm test:storage-faults [--only PART] [--rounds N] [--seed N]

  Two API processes on Ceph: a monitor, three OSDs that keep each object three times, and an S3 gateway.

  --only    adapter, conformance or faults; by default all three
  --rounds  how often each fault is injected, by default 1
  --seed    decides what the accounts do, by default 1
`;

const parts = { adapter, conformance, faults } as const;
const accountCount = 5;
const { count, record, conclude } = createReport('storage-faults');

interface Options {
  readonly only: string | undefined;
  readonly rounds: number;
  readonly seed: number;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
    },
  });
  const { only, rounds, seed } = values;
  if (only !== undefined && !Object.hasOwn(parts, only)) {
    throw new TypeError(`--only takes ${Object.keys(parts).join(', ')}.`);
  }
  for (const [name, text] of Object.entries({ rounds, seed })) {
    if (!/^\d{1,6}$/.test(text)) throw new TypeError(`--${name} takes a whole number.`);
  }
  return { only, rounds: Number(rounds), seed: Number(seed) };
}

async function run(options: Options, programs: CephPrograms): Promise<void> {
  const [monitorPort = 0] = await freePorts(1);
  const stack = await startStack((directory, port) =>
    startCeph(programs, { directory: join(directory, 'ceph'), port, monitorPort }),
  );
  const stop = async (files: 'keep-files' | 'remove-files') => {
    await stack.storage.stop();
    await stack.stop(files);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop('remove-files').then(() => process.exit(130)));
  }
  try {
    for (const [name, part] of Object.entries(parts)) {
      if (options.only === undefined || options.only === name) await part(stack, options);
    }
  } catch (error) {
    record('the run completes', [String(error)]);
    throw error;
  } finally {
    if (count.failed > 0) console.log(`Logs and journal: ${stack.directory}`);
    await stop(count.failed > 0 ? 'keep-files' : 'remove-files');
  }
}

/** Runs the tests of the adapter on this storage. */
async function adapter({ storage }: Stack<Ceph>): Promise<void> {
  const root = join(import.meta.dirname, '../..');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = ['run', '--config', 'vitest.workspace.ts', '--project', 'api', 'adapters/s3.test'];
  const child = spawn(process.execPath, [vitest, ...args], {
    cwd: root,
    env: {
      ...process.env,
      S3_TEST_ENDPOINT: `http://127.0.0.1:${storage.port}`,
      S3_TEST_ACCESS_KEY: storage.keys.accessKey,
      S3_TEST_SECRET_KEY: storage.keys.secretKey,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  await once(child, 'close');
  const [sum = 'no sum'] = /\d+ passed, \d+ failed.*/.exec(output) ?? [];
  record(
    `tests of the adapter, on the embedded storage and on Ceph: ${sum}`,
    child.exitCode === 0 ? [] : output.split('\n'),
  );
}

async function conformance(stack: Stack<Ceph>): Promise<void> {
  const [api] = stack.apis;
  const result = await checkConformance({ baseUrl: api.url, mailApiUrl: stack.mail.url });
  const numberOf = (wanted: string) =>
    result.results.filter(({ outcome }) => outcome === wanted).length;
  const seconds = (result.durationMs / 1_000).toFixed(0);
  record(
    `conformance: ${numberOf('passed')} checks passed, ${numberOf('not-run')} need a sign-in provider (${seconds} s)`,
    result.hasPassed ? [] : prettyReport(result).split('\n'),
  );
}

/** Injects every fault while accounts upload, and reads every acknowledged file at the end. */
async function faults(stack: Stack<Ceph>, { rounds, seed }: Options): Promise<void> {
  const journal = await openJournal(join(stack.directory, 'journal.jsonl'));
  const harness: FaultHarness = { stack, journal, findings: createFindings() };
  const random = seededRandom(seed);
  const workers = await createUploaders(harness, random);
  let since = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const fault of storageFaults) {
      const injection = { name: fault.name, inject: () => fault.inject(stack.storage) };
      const services = { instances: stack.apis, workers, random: random.fork(since + 1) };
      const report = await runRound(injection, { harness, ...services, since });
      since = report.lines;
      const writes = `${report.acknowledged} writes acknowledged, ${report.unknown} without a response`;
      record(`${fault.name}: ${writes} (${report.seconds.toFixed(0)} s)`, report.findings);
    }
  }
  const { exitCode, stdout, stderr } = await operate(stack, ['storage', '--fix']);
  record('the janitor', exitCode === 0 ? [] : [stdout, stderr]);
  const all = await verifyAll(harness, workers, 0);
  const uploads = (await journal.read()).filter(
    ({ kind, state }) => kind === 'upload' && state === 'acknowledged',
  );
  record(
    `${all.acknowledged} acknowledged writes, ${uploads.length} of them uploads, none lost`,
    harness.findings.take(),
  );
  await journal.close();
}

async function createUploaders(
  harness: FaultHarness,
  random: ReturnType<typeof seededRandom>,
): Promise<Worker[]> {
  const emails = Array.from(
    { length: accountCount },
    (_, number) => `uploader-${number}@example.com`,
  );
  await registerAccounts(harness.stack, emails);
  return Promise.all(
    emails.map((email, number) =>
      createWorker(
        { number, email, random: random.fork(1_000 + number) },
        { ...harness, largeUploadShare: 0.2 },
      ),
    ),
  );
}

try {
  const options = readOptions();
  await run(
    options,
    findPrograms(['ceph', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin']),
  );
} catch (error) {
  if (error instanceof MissingProgramsError) {
    console.log(`skip storage-faults: ${error.message}`);
    console.log('storage-faults: 0 passed, 0 failed, 1 skipped');
    process.exit(0);
  }
  console.error(error);
  if (error instanceof TypeError) console.error(usage);
  count.failed += count.failed === 0 ? 1 : 0;
}
process.exit(conclude());
