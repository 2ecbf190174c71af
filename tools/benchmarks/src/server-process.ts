import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { builtApi } from './built-api.ts';
import { onServerCore } from './pinning.ts';

const stopMs = 10_000;
/** The time limit for a server to listen. */
const startMs = 120_000;

/** A server under test: the API or a contestant, in a process of its own. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Processor time so far; null if the system doesn't report it. */
  cpuMs(): number | null;
  /** Resident memory; null if the system doesn't report it. */
  residentBytes(): number | null;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
// No server outlives this process, whatever fails.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Production settings with everything enabled. The rate limits are higher, because a benchmark exceeds what a client
 * may send.
 */
const settings = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  RATE_LIMIT_ENABLED: 'true',
  RATE_LIMIT_DEFAULT_PER_CALLER: '1000000000',
  RATE_LIMIT_LOGIN_FAILURES_PER_ACCOUNT: '1000000',
  RATE_LIMIT_LOGIN_FAILURES_PER_ADDRESS: '1000000',
  RATE_LIMIT_REGISTER_PER_ADDRESS: '1000000',
  RATE_LIMIT_REFRESH_PER_ADDRESS: '1000000',
  RATE_LIMIT_SEARCHES_PER_CALLER: '1000000',
};

/**
 * Starts the API on a free port and waits until it listens. By default, runs the build, as in production.
 *
 * @throws Error with the output if it exits
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

/** With row-level security, the API connects as a role that owns nothing; contestants connect as the owner. */
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
  /** Flags of Node. */
  readonly nodeFlags?: readonly string[];
  /** Arguments of the entry. */
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** Finds the address in the output; by default, in Fastify's log. */
  readonly announcement?: RegExp;
  /** Places the command on a core; by default, on the core of the servers. */
  readonly placed?: (command: readonly string[]) => readonly string[];
}

/**
 * Starts a server that prints its address.
 *
 * @throws Error with the output if it exits
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
  const limit = setTimeout(() => child.kill('SIGKILL'), startMs);
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    const look = (chunk: string) => {
      output += chunk;
      const address = announcement.exec(output)?.[1];
      if (address === undefined) return;
      resolve(address);
      child.stdout.off('data', look);
    };
    child.stdout.setEncoding('utf8').on('data', look);
    child.stderr.setEncoding('utf8').on('data', look);
    child.once('close', () => reject(new Error(`${entry} exited:\n${output}`)));
    child.once('error', reject);
    child.stdout.pipe(log);
  }).finally(() => clearTimeout(limit));
  // A process that printed its address has an id.
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

/** Returns the processor time of a process, in milliseconds; null if the system doesn't say. */
export function cpuMsOf(pid: number): number | null {
  return timesOf(pid)?.ownMs ?? null;
}

/** Returns the processor time of the children of a process that have ended, in milliseconds. */
export function endedChildrenCpuMsOf(pid: number): number | null {
  return timesOf(pid)?.endedChildrenMs ?? null;
}

function timesOf(pid: number) {
  const text = processFile(pid, 'stat');
  if (text === null) return null;
  // The name, in parentheses, may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const sumOf = (...places: number[]) =>
    places.reduce((sum, place) => sum + Number(fields[place]), 0) * msPerTick;
  return { ownMs: sumOf(11, 12), endedChildrenMs: sumOf(13, 14) };
}

function residentBytesOf(pid: number): number | null {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(processFile(pid, 'status') ?? '')?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

/** Reads a file of a process in /proc; null if the system has none. */
export function processFile(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null;
  }
}
