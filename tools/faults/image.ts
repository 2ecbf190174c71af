/** Builds the image of the Dockerfile, runs it beside Postgres and an object store on loopback, and uses it. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePorts, startDevstack } from '@atelier/devstack';
import {
  checkConfinement,
  checkContents,
  checkHealth,
  checkJourney,
  checkMigrations,
  checkReadiness,
  checkStopping,
  checkWebApp,
} from './src/image/checks.ts';
import { startContainer, type Container } from './src/image/container.ts';
import { findEngine, NoEngineError, type Engine } from './src/image/engine.ts';
import { createReport } from './src/report.ts';

const usage = `Usage: pnpm check:image [--image NAME] [-- ARGUMENT…]

  Needs Docker or Podman.

  --image    checks this image; by default, one is built
  ARGUMENT   is passed to the engine's build, such as --build-arg DEBIAN=localhost/debian:trixie-slim
`;
const repository = join(import.meta.dirname, '..', '..');
const builtImage = 'localhost/atelier:check';

/** Stops what the run has started, in reverse order. */
const cleanups: (() => Promise<unknown>)[] = [];
const interruption = new AbortController();
const { record, conclude } = createReport('image');

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    interruption.abort();
    void cleanUp().finally(() => process.exit(130));
  });
}

async function cleanUp(): Promise<void> {
  for (const stop of cleanups.splice(0).toReversed()) {
    await stop().catch((error: unknown) => console.error(error));
  }
}

async function run({ image: named, buildArguments }: Options): Promise<void> {
  const engine = await findEngine();
  const image = named ?? (await build(engine, buildArguments));
  const bytes = Number(await engine.run('image', 'inspect', '--format', '{{.Size}}', image));
  console.log(`${image}, ${(bytes / 1e6).toFixed(0)} MB, in ${engine.name}`);
  await checkImage(engine, image);
}

interface Options {
  readonly image: string | undefined;
  readonly buildArguments: readonly string[];
}

/** Reads the command line; ends the process if it is invalid. */
function readOptions(): Options {
  try {
    const { values, positionals } = parseArgs({
      options: { image: { type: 'string' } },
      allowPositionals: true,
    });
    return { image: values.image, buildArguments: positionals };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(1);
  }
}

async function build(engine: Engine, args: readonly string[]): Promise<string> {
  const reports = join(repository, 'reports');
  mkdirSync(reports, { recursive: true });
  const logFile = join(reports, 'image-build.log');
  console.log(`Building the image; the log is ${logFile}`);
  const startedAt = performance.now();
  await engine.build(['--tag', builtImage, ...args], {
    directory: repository,
    logFile,
    signal: interruption.signal,
  });
  record(`the build succeeds, in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`, []);
  return builtImage;
}

async function checkImage(engine: Engine, image: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'atelier-image-'));
  cleanups.push(async () => rmSync(directory, { recursive: true, force: true }));
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const stack = await startDevstack({ dataDir: directory, env: {}, baseUrl: url });
  cleanups.push(() => stack.stop());
  const environment: Record<string, string> = {
    ...stack.environment,
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: url,
    APP_URL: url,
    JOBS: 'separate',
    DATABASE_ROW_LEVEL_SECURITY: 'true',
    // Many clients share one address, and the machine may be busy.
    RATE_LIMIT_DEFAULT_PER_CALLER: '100000',
    MAX_EVENT_LOOP_DELAY_MS: '0',
  };
  // Only the migrations know the owner of the tables.
  const { DATABASE_MIGRATION_URL: _owner, ...serving } = environment;
  const { databaseUrl, mail } = stack.addresses;
  const subject = { engine, image, environment, url, databaseUrl, mailUrl: mail ?? '' };
  const name = `atelier-check-${randomBytes(4).toString('hex')}`;
  await runCheck(
    'the image has no tool to build or download with',
    checkContents(subject, `${name}-contents`),
  );
  await runCheck(
    'migrations bring an empty database up to date, and a second run changes nothing',
    checkMigrations(subject, `${name}-migration`),
  );
  const start = async (role: string, command: readonly string[] = []): Promise<Container> => {
    const options = { image, name: `${name}-${role}`, environment: serving, command };
    const container = await startContainer(engine, options);
    cleanups.push(() => container.remove());
    return container;
  };
  const worker = await start('worker', ['node', 'apps/api/dist/worker.js']);
  const api = await start('api');
  if (!(await runCheck('the API becomes ready', checkReadiness(subject, api)))) return;
  await runCheck(
    'the API is process 1, has no privileges and can write nowhere',
    checkConfinement(api),
  );
  await runCheck('the health check of the image passes', checkHealth(api));
  await runCheck('the web app is served with every file that it references', checkWebApp(subject));
  await runCheck(
    'a user registers, verifies the email, logs in and uploads',
    checkJourney(subject),
  );
  await runCheck(
    'stopped under load, the API drops no request and exits with 0',
    checkStopping(subject, api),
  );
  await runCheck('the job runner exits with 0', checkEnd(worker));
}

/** @returns whether the check found nothing */
async function runCheck(what: string, check: Promise<readonly string[]>): Promise<boolean> {
  const findings = await check.catch((error: unknown) => [String(error)]);
  if (interruption.signal.aborted) return false;
  record(what, findings);
  return findings.length === 0;
}

async function checkEnd(container: Container): Promise<string[]> {
  const code = await container.stop();
  return code === 0 ? [] : [`it exited with ${code}`];
}

try {
  await run(readOptions());
} catch (error) {
  if (error instanceof NoEngineError) {
    console.error(error.message);
    process.exit(2);
  }
  if (!interruption.signal.aborted) record('the run completes', [String(error)]);
} finally {
  await cleanUp();
}
process.exit(conclude());
