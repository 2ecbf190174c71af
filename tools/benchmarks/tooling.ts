/**
 * Measures what developers wait for: starts, types, tests; and what the client costs a page.
 *
 *     pnpm bench:tooling [--tests]
 *     pnpm bench:tooling --profile
 *
 * `--tests` also runs the whole suite, which takes minutes. The results go to reports/tooling.json. `--profile`
 * measures nothing; it prints where a warm start of the API spends its time.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { typeProjects } from '../../scripts/type-projects.ts';
import { clientSize } from './client/bundle.ts';
import { release, stopAll, temporaryDirectory, track } from './src/cleanup.ts';
import { apiSources, builtApi } from './src/built-api.ts';
import { factTable, type Fact } from './src/fact.ts';
import { startProgram, type Program } from './src/program.ts';
import { profileTable, profilingFlags } from './src/profile.ts';
import { startApi, startServer, type ServerProcess } from './src/server-process.ts';
import { startStack } from './src/stack.ts';
import { median } from './src/statistics.ts';

const repository = join(import.meta.dirname, '..', '..');
const reports = join(repository, 'reports');
const warmStarts = 5;
const pollMs = 5;
const readyTimeoutMs = 120_000;
/** Seconds. */
const maxReadySeconds = 0.5;
/** Runs a command on any core, because no load runs beside it. */
const placed = (command: readonly string[]) => command;

const directory = temporaryDirectory('tooling');
try {
  mkdirSync(reports, { recursive: true });
  if (process.argv.includes('--profile')) console.log(await profileOfStart());
  else await measureAll();
} finally {
  await stopAll();
}

async function measureAll(): Promise<void> {
  const facts: Fact[] = [];
  for (const measure of [
    apiStarts,
    productStarts,
    clientBundles,
    typeCheck,
    ...(process.argv.includes('--tests') ? [testSuite] : []),
  ]) {
    const measured = await measure();
    for (const { title, value, unit } of measured) console.log(`${title}: ${value} ${unit}`);
    facts.push(...measured);
    // Keeps the facts so far if a later measurement fails.
    writeFileSync(join(reports, 'tooling.json'), `${JSON.stringify({ facts }, null, 2)}\n`);
  }
  console.log(`\n${factTable(facts).join('\n')}`);
}

/** Measures from the start of the process until it listens, with production settings on a migrated database. */
async function apiStarts(): Promise<Fact[]> {
  const stack = await track(startStack(join(directory, 'api')));
  // The build is no part of the first start.
  await builtApi();
  const cached = withCache(stack.environment);
  const bareFastify = () =>
    startServer({
      entry: join(import.meta.dirname, 'src', 'limit', 'bare-fastify.ts'),
      env: { ...cached, NODE_ENV: 'production', OPPONENT_WORK: 'whole' },
      logFile: join(directory, 'bare-fastify.log'),
      placed,
    });
  const first = await secondsTo(apiStart(stack.environment));
  const plain = await usualSecondsTo(apiStart(stack.environment));
  await secondsTo(apiStart(cached));
  const warm = await usualSecondsTo(apiStart(cached));
  const sources = apiStart(cached, { entry: apiSources });
  await secondsTo(sources);
  const unbuilt = await usualSecondsTo(sources);
  await secondsTo(bareFastify);
  const bare = await usualSecondsTo(bareFastify);
  await release(stack);
  return [
    fact('API ready, the first time, including migrations', first),
    fact('API ready, without a compile cache', plain),
    { ...fact('API ready, warm, with a compile cache', warm), most: maxReadySeconds },
    fact('API ready from its sources, warm, with a compile cache', unbuilt),
    fact('bare Fastify ready, warm, with a compile cache', bare),
  ];
}

type Environment = Readonly<Record<string, string>>;

function apiStart(
  environment: Environment,
  options: { readonly entry?: string; readonly nodeFlags?: readonly string[] } = {},
) {
  return () => startApi(environment, join(directory, 'api.log'), { placed, ...options });
}

function withCache(environment: Environment): Environment {
  return { ...environment, NODE_COMPILE_CACHE: join(directory, 'compile-cache') };
}

async function secondsTo(start: () => Promise<ServerProcess>): Promise<number> {
  const startedAt = performance.now();
  const server = await track(start());
  const seconds = (performance.now() - startedAt) / 1000;
  await release(server);
  return seconds;
}

async function usualSecondsTo(start: () => Promise<ServerProcess>): Promise<number> {
  const all: number[] = [];
  for (let time = 0; time < warmStarts; time += 1) all.push(await secondsTo(start));
  return median(all);
}

async function profileOfStart(): Promise<string> {
  const stack = await track(startStack(join(directory, 'api')));
  const profiles = join(directory, 'profiles');
  const environment = withCache(stack.environment);
  // The first start migrates the database and fills the cache.
  for (const nodeFlags of [[], profilingFlags(profiles)]) {
    await secondsTo(apiStart(environment, { entry: apiSources, nodeFlags }));
  }
  return profileTable(profiles, Infinity);
}

/** Measures until every part of the product responds, with the existing build of the web app. */
async function productStarts(): Promise<Fact[]> {
  const dataDir = join(directory, 'product');
  return [
    fact('whole product ready, the first time', await secondsUntilReady(dataDir)),
    fact('whole product ready, again', await secondsUntilReady(dataDir)),
  ];
}

async function secondsUntilReady(dataDir: string): Promise<number> {
  const startedAt = performance.now();
  const entry = join('packages', 'devstack', 'src', 'start.ts');
  const product = await track(
    startProgram([process.execPath, entry], {
      cwd: repository,
      env: { ...process.env, ATELIER_DATA_DIR: dataDir },
    }),
  );
  await untilWritten(join(dataDir, 'stack.json'), product);
  const seconds = (performance.now() - startedAt) / 1000;
  await release(product);
  return seconds;
}

async function untilWritten(file: string, program: Program): Promise<void> {
  const deadline = performance.now() + readyTimeoutMs;
  while (!existsSync(file)) {
    if (program.hasEnded) await program.output();
    if (performance.now() > deadline) throw new Error('The product did not start in time.');
    await delay(pollMs);
  }
}

async function typeCheck(): Promise<Fact[]> {
  const projects = typeProjects(repository);
  const startedAt = performance.now();
  for (const project of projects) await outputOf('tsc', ['-p', project]);
  return [fact(`types of all ${projects.length} projects`, (performance.now() - startedAt) / 1000)];
}

async function testSuite(): Promise<Fact[]> {
  const startedAt = performance.now();
  const output = await outputOf('vitest', ['run', '--config', 'vitest.workspace.ts']);
  const seconds = (performance.now() - startedAt) / 1000;
  const count = Number(/Tests\s+(?:\d+ \w+ \| )*?(\d+) passed/.exec(withoutColours(output))?.[1]);
  return [
    fact('all tests that need no browser', seconds),
    { ...fact('number of these tests', count), unit: 'tests' },
  ];
}

async function clientBundles(): Promise<Fact[]> {
  const size = async (what: string, entries: readonly string[]): Promise<Fact> => ({
    ...fact(`the client in a page, ${what}, minified and gzipped`, 0),
    value: (await clientSize(entries)) / 1000,
    unit: 'kB',
  });
  return [
    await size('every operation', ['index']),
    await size('with uploads and live updates', ['index', 'upload', 'resume', 'events']),
  ];
}

function fact(title: string, value: number): Fact {
  return { id: 'tooling', title, value, unit: 's' };
}

/** @throws Error with the output if the command fails */
async function outputOf(command: string, args: readonly string[]): Promise<string> {
  const program = await track(
    startProgram([join(repository, 'node_modules', '.bin', command), ...args], { cwd: repository }),
  );
  const output = await program.output();
  await release(program);
  return output;
}

/** Removes terminal colours. */
function withoutColours(text: string): string {
  return text.replaceAll(new RegExp(String.raw`${String.fromCodePoint(27)}\[[\d;]*m`, 'g'), '');
}
