/** Builds the image of the Dockerfile, runs it beside a Postgres and a storage on loopback, and uses it. */
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
import { findEngine, NoEngine, type Engine } from './src/image/engine.ts';
import { createTelling } from './src/telling.ts';

const usage = `Usage: pnpm check:image [--image NAME] [-- ARGUMENT…]

  Wants Docker or Podman.

  --image    is looked at as it is; by default it is built
  ARGUMENT   goes to the engine's build, such as --build-arg DEBIAN=localhost/debian:trixie-slim
`;
const repository = join(import.meta.dirname, '..', '..');
const builtImage = 'localhost/atelier:check';

/** What a run has started, to be ended in the reverse order. */
const toEnd: (() => Promise<unknown>)[] = [];
const interruption = new AbortController();
const { tell, conclude } = createTelling('image');

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    interruption.abort();
    void end().finally(() => process.exit(130));
  });
}

async function end(): Promise<void> {
  for (const stop of toEnd.splice(0).toReversed()) {
    await stop().catch((error: unknown) => console.error(error));
  }
}

async function run({ image: named, buildArguments }: Options): Promise<void> {
  const engine = await findEngine();
  const image = named ?? (await build(engine, buildArguments));
  const bytes = Number(await engine.run('image', 'inspect', '--format', '{{.Size}}', image));
  console.log(`${image}, ${(bytes / 1e6).toFixed(0)} MB, in ${engine.name}`);
  await lookAt(engine, image);
}

interface Options {
  readonly image: string | undefined;
  readonly buildArguments: readonly string[];
}

/** Those of the command line; ends the process when it is wrong. */
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
  console.log(`The image is being built; the log is ${logFile}`);
  const startedAt = performance.now();
  await engine.build(['--tag', builtImage, ...args], {
    directory: repository,
    logFile,
    signal: interruption.signal,
  });
  tell(`is built in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`, []);
  return builtImage;
}

async function lookAt(engine: Engine, image: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'atelier-image-'));
  toEnd.push(async () => rmSync(directory, { recursive: true, force: true }));
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const stack = await startDevstack({ dataDir: directory, env: {}, baseUrl: url });
  toEnd.push(() => stack.stop());
  const environment: Record<string, string> = {
    ...stack.environment,
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: url,
    APP_URL: url,
    JOBS: 'separate',
    DATABASE_ROW_LEVEL_SECURITY: 'true',
    // Many clients of one address, on a machine that may have much else to do.
    RATE_LIMIT_DEFAULT_PER_CALLER: '100000',
    MAX_EVENT_LOOP_DELAY_MS: '0',
  };
  // Only the migrations are told of the owner of the tables.
  const { DATABASE_MIGRATION_URL: _owner, ...serving } = environment;
  const { databaseUrl, mail } = stack.addresses;
  const subject = { engine, image, environment, url, databaseUrl, mailUrl: mail ?? '' };
  const name = `atelier-check-${randomBytes(4).toString('hex')}`;
  await look('has no tool to build or fetch with', checkContents(subject, `${name}-contents`));
  await look(
    'brings an empty database up to date, and leaves it at that',
    checkMigrations(subject, `${name}-migration`),
  );
  const start = async (role: string, command: readonly string[] = []): Promise<Container> => {
    const wish = { image, name: `${name}-${role}`, environment: serving, command };
    const container = await startContainer(engine, wish);
    toEnd.push(() => container.remove());
    return container;
  };
  const worker = await start('worker', ['node', 'apps/api/dist/worker.js']);
  const api = await start('api');
  if (!(await look('the API is ready', checkReadiness(subject, api)))) return;
  await look('is nobody, may change nothing, and is the first process', checkConfinement(api));
  await look('its health check is content', checkHealth(api));
  await look('serves the web app with every file it names', checkWebApp(subject));
  await look('somebody registers, verifies, logs in and uploads', checkJourney(subject));
  await look('stopped under load, drops no request and ends by 0', checkStopping(subject, api));
  await look('the job runner stops by 0', checkEnd(worker));
}

/** @returns whether nothing was found */
async function look(what: string, check: Promise<readonly string[]>): Promise<boolean> {
  const findings = await check.catch((error: unknown) => [String(error)]);
  if (interruption.signal.aborted) return false;
  tell(what, findings);
  return findings.length === 0;
}

async function checkEnd(container: Container): Promise<string[]> {
  const code = await container.stop();
  return code === 0 ? [] : [`it ended by ${code}`];
}

try {
  await run(readOptions());
} catch (error) {
  if (error instanceof NoEngine) {
    console.error(error.message);
    process.exit(2);
  }
  if (!interruption.signal.aborted) tell('everything could be done', [String(error)]);
} finally {
  await end();
}
process.exit(conclude());
