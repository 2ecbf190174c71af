import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { builtApi } from './built-api.ts';
import { onServerCore } from './pinning.ts';

const stopMs = 10_000;
/** One that doesn't say by then where it listens never will. */
const startMs = 120_000;

/** What is measured: the API, or one of those beside it, as a process of its own. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Processor time that it has used, in milliseconds; null where the system doesn't tell. */
  cpuMs(): number | null;
  /** Memory that it holds, in bytes; null where the system doesn't tell. */
  residentBytes(): number | null;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
// Whatever went wrong: none outlives this process.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Nothing is switched off. The limits are as high as they go, since a benchmark calls more often than
 * anybody may.
 */
const settings = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  RATE_LIMIT_ENABLED: 'true',
  RATE_LIMIT_DEFAULT_PER_CALLER: '1000000000',
  RATE_LIMIT_REGISTER_PER_ADDRESS: '1000000',
  RATE_LIMIT_REFRESH_PER_ADDRESS: '1000000',
};

/**
 * Starts the API on a free port and waits until it listens: as it is built, like in production, unless told.
 *
 * @throws Error with what it said when it ended instead
 */
export async function startApi(
  environment: Readonly<Record<string, string>>,
  logFile: string,
  options: Pick<ServerOptions, 'nodeFlags' | 'placed'> & { readonly entry?: string } = {},
): Promise<ServerProcess> {
  return startServer({
    ...options,
    entry: options.entry ?? (await builtApi()),
    env: { ...environment, ...settings, ...withPolicies(environment) },
    logFile,
  });
}

/** The API alone, as a role that owns nothing; what it is held against goes on as the owner. */
function withPolicies({ DATABASE_URL: owner }: Readonly<Record<string, string>>) {
  if (process.env['DATABASE_ROW_LEVEL_SECURITY'] !== 'true' || owner === undefined) return {};
  const service = new URL(owner);
  service.username = 'atelier_bench';
  service.password = 'bench';
  return {
    DATABASE_URL: service.href,
    DATABASE_MIGRATION_URL: owner,
    DATABASE_ROW_LEVEL_SECURITY: 'true',
  };
}

export interface ServerOptions {
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Given to the runtime before the entry. */
  readonly nodeFlags?: readonly string[];
  /** Given to the entry. */
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** Finds the address in what it says; as Fastify's log does unless told. */
  readonly announcement?: RegExp;
  /** Where its command runs: on the core of the servers unless told. */
  readonly placed?: (command: readonly string[]) => readonly string[];
}

/**
 * Starts a server that says where it listens.
 *
 * @throws Error with what it said when it ended instead
 */
export async function startServer({
  entry,
  env,
  logFile,
  nodeFlags = [],
  args = [],
  cwd,
  announcement = /Server listening at (http:\/\/127\.0\.0\.1:\d+)/,
  placed = onServerCore,
}: ServerOptions): Promise<ServerProcess> {
  const [program = '', ...rest] = placed([process.execPath, ...nodeFlags, entry, ...args]);
  const child = spawn(program, rest, {
    env: { ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(logFile);
  const closed = once(child, 'close');
  running.add(child);
  child.once('close', () => running.delete(child));
  const impatience = setTimeout(() => child.kill('SIGKILL'), startMs);
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    const look = (chunk: string) => {
      said += chunk;
      const address = announcement.exec(said)?.[1];
      if (address === undefined) return;
      resolve(address);
      child.stdout.off('data', look);
    };
    child.stdout.setEncoding('utf8').on('data', look);
    child.stderr.setEncoding('utf8').on('data', look);
    child.once('close', () => reject(new Error(`${entry} ended:\n${said}`)));
    child.once('error', reject);
    child.stdout.pipe(log);
  }).finally(() => clearTimeout(impatience));
  // It has said where it listens.
  const pid = child.pid ?? 0;
  return {
    url,
    pid,
    cpuMs: () => cpuMsOf(pid),
    residentBytes: () => residentBytesOf(pid),
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Linux counts a process's time in hundredths of a second. */
const msPerTick = 10;

function cpuMsOf(pid: number): number | null {
  const text = processFile(pid, 'stat');
  if (text === null) return null;
  // The name, in parentheses, may hold spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

function residentBytesOf(pid: number): number | null {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(processFile(pid, 'status') ?? '')?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

/** What the system tells of a process; null where it doesn't. */
export function processFile(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null;
  }
}
