/** Measures the API as a whole. `pnpm bench --help` says how to run it, docs/performance.md what it means. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Devstack } from '@atelier/devstack';
import postgres from 'postgres';
import { openAccessTokens } from './src/access-tokens.ts';
import { readWishes, usage, type Wishes } from './src/command-line.ts';
import { inspectedSeconds, inspectionOf } from './src/inspection.ts';
import { startLoadGenerator, type LoadGenerator } from './src/load.ts';
import { startLimits } from './src/contestants.ts';
import { checkEqual } from './src/equality.ts';
import { measure } from './src/measure.ts';
import { endAll, endOnSignals, hold, letGo } from './src/ending.ts';
import { startOpponents } from './src/opponents.ts';
import { canPin, moveToOtherCores } from './src/pinning.ts';
import { startProducts } from './src/products.ts';
import { startApi, startServer, type ServerProcess } from './src/server-process.ts';
import { linesOf, markdownOf, type Conditions, type Report } from './src/report.ts';
import { scenariosOf } from './src/scenarios.ts';
import { startStack } from './src/stack.ts';
import { startUploads, type Uploads } from './src/uploads.ts';
import type { World } from './src/world.ts';
import { dropOutdated, readSeeded, seed, type Seeded } from './src/seed/seeded.ts';

const repository = join(import.meta.dirname, '..', '..');
const reports = join(repository, 'reports');

if (process.argv.includes('--help')) {
  console.log(usage);
} else {
  endOnSignals();
  try {
    await run(readWishes(process.argv.slice(2)));
  } catch (error) {
    console.error(error instanceof TypeError ? `${error.message}\n\n${usage}` : error);
    process.exitCode = 1;
  } finally {
    await endAll();
  }
}

async function run(wishes: Wishes): Promise<void> {
  const dataDir = join(repository, '.data', 'benchmarks', wishes.profile);
  if (wishes.isFresh) rmSync(dataDir, { recursive: true, force: true });
  dropOutdated(dataDir, wishes.sizes);
  if (readSeeded(dataDir) === null) {
    // What is there without a record is the rest of an interrupted seeding.
    rmSync(dataDir, { recursive: true, force: true });
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });

  // What is started from here on inherits it.
  moveToOtherCores(process.pid);
  const stack = await hold(startStack(dataDir));
  const seeded = readSeeded(dataDir) ?? (await seedOver(stack, { dataDir, wishes }));
  const inspection = inspectionOf(wishes.inspected, join(reports, 'profiles'));
  const api = await hold(startApi(stack.environment, join(dataDir, 'api.log'), inspection?.api));
  const generator = await hold(startLoadGenerator());

  const contestants = [
    ...(await startLimits(stack.environment, dataDir, inspection?.limitFlags)),
    ...(wishes.hasOpponents ? await startOpponents(stack.environment, dataDir) : []),
    ...(wishes.hasProducts
      ? await startProducts({ databaseUrl: stack.addresses.databaseUrl, dataDir, seeded })
      : []),
  ];
  for (const { server } of contestants) await hold(server);
  const bareServer = await hold(
    startServer({
      entry: join(import.meta.dirname, 'src', 'bare-server.ts'),
      env: {},
      logFile: join(dataDir, 'bare-server.log'),
    }),
  );

  const tokens = await openAccessTokens(api.url, seeded.emails);
  const world: World = {
    api,
    bareServer,
    contestants,
    seeded,
    sizes: wishes.sizes,
    get accessTokens() {
      return tokens.current();
    },
  };
  await checkEqual(world);
  if (inspection) {
    await callFor(inspection.servers(world), { generator, wishes, world });
    console.log(await inspection.look(world));
    return;
  }
  const uploads = await uploadsOf(wishes, dataDir);
  const scenarios = [...scenariosOf(world), ...(uploads?.scenarios ?? [])]
    .filter(({ id }) => wishes.isWanted(id))
    .toSorted((one, other) => one.id.localeCompare(other.id));
  const bench = {
    generator,
    pace: wishes.pace,
    say: console.log,
    beforeRound: () => tokens.renew(),
  };
  const loadBefore = loadavg()[0] ?? 0;
  const startedAt = new Date().toISOString();
  const measured = await measure(bench, scenarios);
  const conditions = await conditionsOf({ wishes, stack, loadBefore, startedAt });
  publish(wishes.hasProducts ? 'products' : 'bench', {
    conditions,
    lines: linesOf(measured),
    facts: (await uploads?.countExchanges()) ?? [],
  });
}

/** S6 has services of its own, which are not started for nothing. */
async function uploadsOf(wishes: Wishes, dataDir: string): Promise<Uploads | null> {
  if (!['S6-initiate', 'S6-complete'].some((id) => wishes.isWanted(id))) return null;
  return hold(startUploads({ dataDir: join(dataDir, 'uploads'), partCount: wishes.uploadParts }));
}

/** The API migrates the database and makes the accounts; another process serves the rounds. */
async function seedOver(
  { environment, addresses }: Devstack,
  { dataDir, wishes }: { dataDir: string; wishes: Wishes },
): Promise<Seeded> {
  const startedAt = performance.now();
  console.log('Seeding; this happens once.');
  const api = await hold(startApi(environment, join(dataDir, 'api-seeding.log')));
  const where = {
    dataDir,
    apiUrl: api.url,
    mailUrl: addresses.mail ?? '',
    databaseUrl: addresses.databaseUrl,
  };
  const seeded = await seed(where, wishes.sizes);
  await letGo(api);
  console.log(`Seeded ${dataDir} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
  return seeded;
}

/** Calls some of the servers for a while. */
async function callFor(
  servers: ReadonlyMap<string, ServerProcess>,
  { generator, wishes, world }: { generator: LoadGenerator; wishes: Wishes; world: World },
): Promise<void> {
  const wanted = new Set(servers.values());
  const scenarios = scenariosOf(world)
    .filter(({ id }) => wishes.isWanted(id))
    .map((scenario) => ({
      ...scenario,
      variants: scenario.variants.filter(({ server }) => wanted.has(server)),
    }));
  const pace = { ...wishes.pace, rounds: 1, secondsPerRound: inspectedSeconds };
  await measure({ generator, pace, say: console.log }, scenarios);
}

async function conditionsOf(run: {
  wishes: Wishes;
  stack: Devstack;
  loadBefore: number;
  startedAt: string;
}): Promise<Conditions> {
  const { wishes, stack, loadBefore, startedAt } = run;
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
    rounds: wishes.pace.rounds,
    secondsPerRound: wishes.pace.secondsPerRound,
    isPinned: canPin,
  };
}

function publish(name: 'bench' | 'products', report: Report): void {
  const markdown = markdownOf(report);
  mkdirSync(reports, { recursive: true });
  writeFileSync(join(reports, `${name}.md`), markdown);
  writeFileSync(join(reports, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`);
  console.log(`\n${markdown}\nWritten to reports/${name}.md and reports/${name}.json.`);
}
