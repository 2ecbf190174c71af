import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { writeFileAtomically } from '../atomic-file.ts';
import type { Devstack, DevstackPorts } from '../devstack.ts';
import { defaultPorts, startDevstack } from '../devstack.ts';
import { closeHttp, listen } from '../http/loopback.ts';
import { isPortFree, startOnFreePorts } from '../ports.ts';
import type { DemoAccount, SeedOptions } from '../seed/seed.ts';
import type { ApiExit, ApiProcess } from './api-process.ts';
import { startApi } from './api-process.ts';
import type { Ending } from './ending.ts';
import { listenForEnding } from './ending.ts';
import { registerStack } from './running-stacks.ts';
import { removeStackFile, stackFileIn, writeStackFile } from './stack-file.ts';
import { summary, takenPort, withoutPassword } from './summary.ts';
import type { WebApp } from './web-app.ts';
import { builtAppOf, buildWebAppIfStale } from './web-app.ts';

export interface StartOptions {
  dataDir: string;
  /** Path of the API's entry point. */
  apiEntry: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Preferred ports of the embedded services. */
  ports?: Partial<DevstackPorts>;
  /** The web app that the API serves; null = none. */
  webApp: Omit<WebApp, 'env'> | null;
  /** Seeds a new database: the demo account before the start is announced, its samples afterwards. */
  seed: Record<'account' | 'samples', (options: SeedOptions) => Promise<void>>;
  print(text: string): void;
}

/** A failure whose message is complete without a stack trace. */
class StartFailure extends Error {}

/** Another process took the API's port between the check and the start. */
class ApiPortTaken extends Error {}

const defaultApiPort = 3000;
const readyTimeoutMs = 180_000;
const tries = 3;
const demoEmail = 'demo@example.com';

interface Run {
  options: StartOptions;
  ending: Ending;
  port: number;
  baseUrl: string;
  appUrl: string;
  stack: Devstack;
  api: ApiProcess;
  /** Resolves when the web app is built, or can't be. */
  appIsBuilt: Promise<void>;
  /** Rejects when the API or a service ends; resolves when this process is asked to end. */
  ended: Promise<void>;
  /** Aborted when `ended` settles. */
  over: AbortSignal;
}

function preferredPort(env: StartOptions['env']): number {
  const text = env['PORT'] || String(defaultApiPort);
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new StartFailure(`PORT must be a number from 1 to 65535, not "${text}".`);
}

function publicAddress(env: StartOptions['env'], name: string): string | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text.replace(/\/+$/, '');
  throw new StartFailure(`${name} must be a URL such as http://localhost:3000, not "${text}".`);
}

/** Reserves the API's port while its services start, so that a parallel stack takes another. */
async function holdPort(wanted: number): Promise<{ placeholder: Server; port: number }> {
  return startOnFreePorts([wanted], async ([port = 0]) => {
    const placeholder = createServer();
    await listen(placeholder, port);
    return { placeholder, port };
  });
}

function apiFailure({ description, lastLines }: ApiExit, logPath: string): StartFailure {
  const output = lastLines.map((line) => `  ${line}`).join('\n');
  return new StartFailure(
    `The API ${description}. ${output === '' ? 'It printed nothing.' : `Its last output:\n${output}\n`}` +
      `Its log is ${logPath}.`,
  );
}

function apiEnvironment(run: Omit<Prepared, 'api'>): Record<string, string | undefined> {
  const { options, port, baseUrl, appUrl, stack } = run;
  const { NODE_ENV: _ours, ...inherited } = options.env;
  return {
    ...(options.webApp && { WEB_APP_DIR: builtAppOf(options.webApp.packageDir) }),
    ...inherited,
    ...stack.environment,
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: baseUrl,
    APP_URL: appUrl,
  };
}

/** Builds the web app in parallel; the API works without it. */
async function buildApp({ webApp, env, print }: StartOptions, signal: AbortSignal): Promise<void> {
  if (webApp === null || env['WEB_APP_DIR']) return;
  // The API starts before the build ends.
  mkdirSync(builtAppOf(webApp.packageDir), { recursive: true });
  try {
    await buildWebAppIfStale({ ...webApp, env }, signal);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    print(`The web app could not be built; the API works without it.\n${reason}`);
  }
}

type Prepared = Omit<Run, 'appIsBuilt' | 'ended' | 'over'>;

/** Rejects when the API or a service ends; resolves when this process is asked to end. */
async function untilEnd({ ending, api, stack, options }: Prepared): Promise<void> {
  const end = await Promise.race([
    ending.requested.then(() => undefined),
    api.exited,
    stack.failed.then((reason) => new StartFailure(reason)),
  ]);
  if (end === undefined || ending.signal.aborted) return;
  if (end instanceof StartFailure) throw end;
  throw apiFailure(end, join(resolve(options.dataDir), 'api.log'));
}

/** Throws the error of a failed start; names the port if another process took it. */
async function throwStartFailure(error: unknown, port: number): Promise<never> {
  if (await isPortFree(port)) throw error;
  throw new ApiPortTaken(`Port ${port} was taken by another process.`, { cause: error });
}

async function waitUntilReady({ api, ended, ending, options, port }: Run): Promise<void> {
  const waiting = new AbortController();
  const timeout = AbortSignal.timeout(readyTimeoutMs);
  const signal = AbortSignal.any([waiting.signal, ending.signal, timeout]);
  try {
    await Promise.race([api.untilReady(signal), ended]);
  } catch (error) {
    await throwStartFailure(error, port);
  } finally {
    waiting.abort();
  }
  if (!timeout.aborted) return;
  const logPath = join(resolve(options.dataDir), 'api.log');
  throw new StartFailure(`The API isn't ready after three minutes. Its log is ${logPath}.`);
}

/**
 * Returns the password that the demo account has, or is to have: that of the first start on this database, also
 * after the secrets were replaced. It is stored before the account is created.
 */
function demoPasswordOf({ options, stack }: Run): string {
  const path = join(resolve(options.dataDir), 'postgres', 'demo-password');
  if (!existsSync(path)) writeFileAtomically(path, stack.secrets.demoPassword);
  return readFileSync(path, 'utf8');
}

/** Returns what to seed, unless the database belongs to the user. */
function seedOptions(run: Run): SeedOptions | null {
  const { stack, baseUrl, port, over: signal } = run;
  const { mail: mailUrl, identity: identityUrl } = stack.addresses;
  if (!stack.isDatabaseEmbedded || mailUrl === null) return null;
  const demo = { email: demoEmail, password: demoPasswordOf(run) };
  return { apiUrl: `http://127.0.0.1:${port}`, baseUrl, mailUrl, identityUrl, demo, signal };
}

/** Stored beside the database, so that deleting the database deletes it. */
const seededRecord = ({ options }: Run): string =>
  join(resolve(options.dataDir), 'postgres', 'seeded.json');

async function seedAccount(run: Run): Promise<DemoAccount | null> {
  const { options, baseUrl, ended, over } = run;
  const seed = seedOptions(run);
  if (seed === null || existsSync(seededRecord(run))) return seed?.demo ?? null;
  try {
    await options.seed.account(seed);
    return seed.demo;
  } catch (error) {
    if (over.aborted) {
      await ended;
      return null;
    }
    const reason = error instanceof Error ? error.message : String(error);
    options.print(
      `The demo account could not be created (${reason}); ${baseUrl} works without it.`,
    );
    return null;
  }
}

/** Seeds the samples of the demo account after the start; the next start continues an interrupted seed. */
async function seedSamples(run: Run): Promise<void> {
  const { options, over } = run;
  const seed = seedOptions(run);
  if (seed === null || existsSync(seededRecord(run))) return;
  try {
    await options.seed.samples(seed);
    writeFileAtomically(seededRecord(run), JSON.stringify({ seededAt: new Date().toISOString() }));
  } catch (error) {
    if (over.aborted) return;
    const reason = error instanceof Error ? error.message : String(error);
    options.print(`The samples of the demo account are not complete (${reason}).`);
  }
}

/** Returns a sentence for each preferred port that another program had. */
function takenPortsOf({ options, baseUrl, stack: { addresses } }: Run): string[] {
  const { env, ports } = options;
  const { mail, storage, identity } = { ...defaultPorts, ...ports };
  return [
    ...(env['BASE_URL'] ? [] : [takenPort(preferredPort(env), baseUrl)]),
    ...(env['S3_ENDPOINT'] ? [] : [takenPort(storage, addresses.storage)]),
    takenPort(mail, addresses.mail ?? ''),
    takenPort(identity, addresses.identity ?? ''),
  ].filter((sentence) => sentence !== null);
}

function describe(run: Run, demo: DemoAccount | null): string {
  const { addresses } = run.stack;
  const lines = [
    { label: 'App and API', value: run.baseUrl },
    ...(run.appUrl === run.baseUrl ? [] : [{ label: 'App', value: run.appUrl }]),
    { label: 'API reference', value: `${run.baseUrl}/docs` },
    { label: 'Mail inbox', value: addresses.mail ?? 'none; mail goes to SMTP_URL' },
    { label: 'Object store', value: addresses.storage },
    { label: 'Sign-in provider', value: addresses.identity ?? 'the configured ones' },
    { label: 'Database', value: withoutPassword(addresses.databaseUrl) },
    { label: '', value: `with its password: databaseUrl in ${stackFileIn(run.options.dataDir)}` },
    { label: 'Data directory', value: resolve(run.options.dataDir) },
  ];
  const next =
    demo === null
      ? `Open ${run.appUrl} and create an account.`
      : `Open ${run.appUrl} and sign in as ${demo.email} with the password ${demo.password}`;
  return summary({ addresses: lines, takenPorts: takenPortsOf(run), next });
}

async function serve(run: Run): Promise<void> {
  const { options, stack, ending } = run;
  await waitUntilReady(run);
  if (ending.signal.aborted) return;
  const [demo] = await Promise.all([seedAccount(run), run.appIsBuilt]);
  if (ending.signal.aborted) return;
  const { environment, addresses } = stack;
  writeStackFile(options.dataDir, {
    api: run.baseUrl,
    app: run.appUrl,
    mail: addresses.mail,
    storage: addresses.storage,
    storageAccessKey: environment['S3_ACCESS_KEY'] ?? options.env['S3_ACCESS_KEY'] ?? '',
    storageSecretKey: environment['S3_SECRET_KEY'] ?? options.env['S3_SECRET_KEY'] ?? '',
    databaseUrl: addresses.databaseUrl,
    pid: process.pid,
    demo,
  });
  stack.announce(run.baseUrl);
  const unregister = registerStack(stackFileIn(options.dataDir), options.env);
  try {
    options.print(describe(run, demo));
    const seeding = demo === null ? undefined : seedSamples(run);
    // The next start must not seed in parallel with this process.
    await run.ended.finally(() => seeding);
  } finally {
    unregister();
  }
}

async function runOnce(
  options: StartOptions,
  ending: Ending,
  appIsBuilt: Promise<void>,
): Promise<void> {
  const { dataDir, env, ports = {} } = options;
  const givenBaseUrl = publicAddress(env, 'BASE_URL');
  const givenAppUrl = publicAddress(env, 'APP_URL');
  const { placeholder, port } = await holdPort(preferredPort(env));
  const baseUrl = givenBaseUrl ?? `http://localhost:${port}`;
  const appUrl = givenAppUrl ?? baseUrl;
  let stack: Devstack;
  try {
    stack = await startDevstack({ dataDir, env, baseUrl, appUrl, ports });
  } finally {
    await closeHttp(placeholder);
  }
  ending.onForced(() => stack.abort());
  try {
    // A killed stack could not remove it.
    removeStackFile(dataDir);
    if (ending.signal.aborted) return;
    const prepared = { options, ending, port, baseUrl, appUrl, stack };
    const api = startApi({
      entry: options.apiEntry,
      port,
      env: apiEnvironment(prepared),
      logPath: join(resolve(dataDir), 'api.log'),
      warn: (line) => options.print(`API ${line}`),
    });
    ending.onForced(() => api.abort());
    try {
      const ended = untilEnd({ ...prepared, api });
      const over = new AbortController();
      const abort = (): void => over.abort();
      // It may reject while something else is awaited; a later race handles the rejection.
      ended.then(abort, abort);
      await serve({ ...prepared, api, appIsBuilt, ended, over: over.signal });
    } finally {
      removeStackFile(dataDir);
      await api.stop();
    }
  } finally {
    await stack.stop();
  }
}

/**
 * Runs the whole product on embedded services in the foreground until SIGINT, SIGTERM, SIGHUP or the end of its
 * parent; prints the addresses, or the reason of a failure.
 *
 * @returns the exit code: 0 after a requested end, 1 after a failure
 */
export async function runStart(options: StartOptions): Promise<number> {
  const ending = listenForEnding();
  const over = new AbortController();
  const appIsBuilt = buildApp(options, AbortSignal.any([ending.signal, over.signal]));
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await runOnce(options, ending, appIsBuilt);
        return 0;
      } catch (error) {
        if (!(error instanceof ApiPortTaken) || attempt >= tries) throw error;
      }
    }
  } catch (error) {
    options.print(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    over.abort();
    ending.dispose();
  }
}
