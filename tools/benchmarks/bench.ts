/** Measures the API. `pnpm bench --help` lists the options; docs/performance.md explains the results. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Devstack } from '@atelier/devstack';
import postgres from 'postgres';
import { openAccessTokens } from './src/access-tokens.ts';
import { readOptions, usage, type Options } from './src/command-line.ts';
import { inspectedSeconds, inspectionOf } from './src/inspection.ts';
import { startLoadGenerator, type LoadGenerator } from './src/load.ts';
import { startLimits } from './src/contestants.ts';
import { checkEqual } from './src/equality.ts';
import { measure } from './src/measure.ts';
import { stopAll, track, release } from './src/cleanup.ts';
import { startOpponents } from './src/opponents.ts';
import { canPin, moveToOtherCores } from './src/pinning.ts';
import { startProducts } from './src/products.ts';
import { startApi, startServer, type ServerProcess } from './src/server-process.ts';
import { linesOf, markdownOf, type Conditions, type Report } from './src/report.ts';
import { verdictsOf } from './src/verdicts.ts';
import { scenariosOf } from './src/scenarios.ts';
import { postgresCpu } from './src/postgres-cpu.ts';
import { startStack } from './src/stack.ts';
import { startUploads, type Uploads } from './src/uploads.ts';
import type { Fixtures } from './src/fixtures.ts';
import { dropOutdated, readSeeded, seed, type Seeded } from './src/seed/seeded.ts';

const repository = join(import.meta.dirname, '..', '..');
const reports = join(repository, 'reports');

if (process.argv.includes('--help')) {
  console.log(usage);
} else {
  try {
    await run(readOptions(process.argv.slice(2)));
  } catch (error) {
    console.error(error instanceof TypeError ? `${error.message}\n\n${usage}` : error);
    process.exitCode = 1;
  } finally {
    await stopAll();
  }
}

async function run(options: Options): Promise<void> {
  const dataDir = join(repository, '.data', 'benchmarks', options.profile);
  if (options.isFresh) rmSync(dataDir, { recursive: true, force: true });
  dropOutdated(dataDir, options.sizes);
  if (readSeeded(dataDir) === null) {
    // Files without a record are left over from an interrupted seeding.
    rmSync(dataDir, { recursive: true, force: true });
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });

  // Child processes inherit the affinity.
  moveToOtherCores(process.pid);
  const stack = await track(startStack(dataDir));
  const seeded = readSeeded(dataDir) ?? (await seedDatabase(stack, { dataDir, options }));
  const inspection = inspectionOf(options.inspected, join(reports, 'profiles'));
  // No jobs: they would follow what was seeded and written, which takes processor time from the requests.
  const environment = { ...stack.environment, JOBS: 'separate' };
  const reading = { ...environment, KNOWN_PAGES_MAX_BYTES: '0' };
  const inspected = options.isWanted('S2') ? reading : environment;
  const api = await track(
    startApi(inspection ? inspected : environment, join(dataDir, 'api.log'), inspection?.api),
  );
  const readingApi = inspection
    ? api
    : await track(startApi(reading, join(dataDir, 'api-reading.log')));
  const generator = await track(startLoadGenerator());

  const contestants = [
    ...(await startLimits(stack.environment, dataDir, inspection?.limitFlags)),
    ...(options.hasOpponents ? await startOpponents(stack.environment, dataDir) : []),
    ...(options.hasProducts
      ? await startProducts({ databaseUrl: stack.addresses.databaseUrl, dataDir, seeded })
      : []),
  ];
  for (const { server } of contestants) await track(server);
  const bareServer = await track(
    startServer({
      entry: join(import.meta.dirname, 'src', 'bare-server.ts'),
      env: {},
      logFile: join(dataDir, 'bare-server.log'),
    }),
  );

  const tokens = await openAccessTokens(api.url, seeded.emails);
  const fixtures: Fixtures = {
    api,
    readingApi,
    bareServer,
    contestants,
    seeded,
    sizes: options.sizes,
    get accessTokens() {
      return tokens.current();
    },
  };
  await checkEqual(fixtures);
  if (inspection) {
    await sendLoadTo(inspection.servers(fixtures), { generator, options, fixtures });
    console.log(await inspection.report(fixtures));
    return;
  }
  const uploads = await uploadsOf(options, dataDir);
  const scenarios = [...scenariosOf(fixtures), ...(uploads?.scenarios ?? [])]
    .filter(({ id }) => options.isWanted(id))
    .toSorted((one, other) => one.id.localeCompare(other.id));
  const bench = {
    generator,
    pace: options.pace,
    log: console.log,
    postgresCpuMs: postgresCpu(dataDir),
    beforeRound: () => tokens.renew(),
  };
  const loadBefore = loadavg()[0] ?? 0;
  const startedAt = new Date().toISOString();
  const measured = await measure(bench, scenarios);
  const conditions = await conditionsOf({ options, stack, loadBefore, startedAt });
  publish(options.hasProducts ? 'products' : 'bench', {
    conditions,
    lines: linesOf(measured),
    verdicts: verdictsOf(measured),
    facts: (await uploads?.countRoundTrips()) ?? [],
  });
}

/** Starts the services of S6, if it was selected. */
async function uploadsOf(options: Options, dataDir: string): Promise<Uploads | null> {
  if (!['S6-initiate', 'S6-complete'].some((id) => options.isWanted(id))) return null;
  return track(startUploads({ dataDir: join(dataDir, 'uploads'), partCount: options.uploadParts }));
}

/** Seeds the database through an API of its own, which also migrates it. */
async function seedDatabase(
  { environment, addresses }: Devstack,
  { dataDir, options }: { dataDir: string; options: Options },
): Promise<Seeded> {
  const startedAt = performance.now();
  console.log('Seeding; this happens once.');
  const api = await track(startApi(environment, join(dataDir, 'api-seeding.log')));
  const where = {
    dataDir,
    apiUrl: api.url,
    mailUrl: addresses.mail ?? '',
    databaseUrl: addresses.databaseUrl,
  };
  const seeded = await seed(where, options.sizes);
  await release(api);
  console.log(`Seeded ${dataDir} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
  return seeded;
}

/** Sends load to some of the servers for a while. */
async function sendLoadTo(
  servers: ReadonlyMap<string, ServerProcess>,
  {
    generator,
    options,
    fixtures,
  }: { generator: LoadGenerator; options: Options; fixtures: Fixtures },
): Promise<void> {
  const wanted = new Set(servers.values());
  const scenarios = scenariosOf(fixtures)
    .filter(({ id }) => options.isWanted(id))
    .map((scenario) => ({
      ...scenario,
      variants: scenario.variants.filter(({ server }) => wanted.has(server)),
    }));
  const pace = { ...options.pace, rounds: 1, secondsPerRound: inspectedSeconds };
  await measure({ generator, pace, log: console.log }, scenarios);
}

async function conditionsOf(run: {
  options: Options;
  stack: Devstack;
  loadBefore: number;
  startedAt: string;
}): Promise<Conditions> {
  const { options, stack, loadBefore, startedAt } = run;
  const sql = postgres(stack.addresses.databaseUrl, { max: 1 });
  const [server] = await sql<{ version: string }[]>`
    select current_setting('server_version') as version`;
  await sql.end();
  return {
    startedAt,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: repository })
      .toString()
      .trim(),
    processor: cpus()[0]?.model ?? 'unknown',
    coreCount: cpus().length,
    memoryGiB: totalmem() / 1024 ** 3,
    load: { before: loadBefore, after: loadavg()[0] ?? 0 },
    node: process.versions.node,
    postgres: server?.version ?? 'unknown',
    rounds: options.pace.rounds,
    secondsPerRound: options.pace.secondsPerRound,
    isPinned: canPin,
  };
}

function publish(name: 'bench' | 'products', report: Report): void {
  const markdown = markdownOf(report);
  mkdirSync(reports, { recursive: true });
  writeFileSync(join(reports, `${name}.md`), markdown);
  writeFileSync(join(reports, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`);
  console.log(`\n${markdown}\nReports: reports/${name}.md, reports/${name}.json`);
}
