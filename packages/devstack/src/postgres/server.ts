import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { DamagedCluster, directoryArgument, postgresEnvironment } from './cluster.ts';

const pollIntervalMs = 5;
const startTimeoutMs = 60_000;
const fastShutdownMs = 10_000;
const immediateShutdownMs = 5_000;
const logTailCharacters = 2_000;

export interface PostgresServer {
  pid: number;
  /** Resolves when the server has ended for any reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
  /** Kills the server; the next start recovers committed data. */
  abort(): void;
}

interface ServerOptions {
  cluster: Cluster;
  port: number;
  settings: Readonly<Record<string, string>>;
  logFile: string;
  extensionsDir?: string | undefined;
}

/** The requested port is taken. */
export class PortTaken extends Error {
  readonly code = 'EADDRINUSE';

  constructor(port: number) {
    super(`Port ${port} is taken; Postgres needs another one.`);
    this.name = 'PortTaken';
  }
}

/** Processes of a killed server still hold the cluster's shared memory; they end soon. */
export class RemainsOfKilledServer extends Error {
  constructor(clusterDir: string) {
    super(`Processes of a killed Postgres still use ${clusterDir}; kill them and start again.`);
    this.name = 'RemainsOfKilledServer';
  }
}

function spawnServer(options: ServerOptions): ChildProcess {
  const { cluster, port, settings, logFile, extensionsDir } = options;
  const allSettings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    logging_collector: 'off',
    log_checkpoints: 'off',
    // Clients handle failed statements; the log shows the state of the server.
    log_min_messages: 'log',
    timezone: 'UTC',
    ...(extensionsDir !== undefined && {
      extension_control_path: `${extensionsDir}:$system`,
      dynamic_library_path: `${join(extensionsDir, 'lib')}:$libdir`,
    }),
    ...settings,
    port: String(port),
  };
  const log = openSync(logFile, 'w', 0o600);
  try {
    return spawn(
      cluster.binaries.postgres,
      [
        '-D',
        directoryArgument(cluster),
        ...Object.entries(allSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      {
        cwd: cluster.clusterDir,
        env:
          extensionsDir === undefined ? postgresEnvironment() : environmentWithLibraries(cluster),
        stdio: ['ignore', log, log],
        // Ctrl-C reaches the terminal's whole process group; Postgres must outlive its clients.
        detached: true,
        ...cluster.account,
      },
    );
  } finally {
    closeSync(log);
  }
}

/** Extensions are linked to libraries that come with the server. */
function environmentWithLibraries({ binaries }: Cluster): NodeJS.ProcessEnv | undefined {
  const environment = postgresEnvironment();
  return environment && { ...environment, LD_LIBRARY_PATH: join(binaries.nativeDir, 'lib') };
}

function isReady(clusterDir: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

function startFailure({ cluster, port, logFile }: ServerOptions, cause?: unknown): Error {
  const log = readFileSync(logFile, 'utf8').slice(-logTailCharacters).trim();
  if (/could not bind .*Address (already )?in use/s.test(log)) return new PortTaken(port);
  if (log.includes('pre-existing shared memory block')) {
    return new RemainsOfKilledServer(cluster.clusterDir);
  }
  return new DamagedCluster(
    cluster.clusterDir,
    `Postgres doesn't start on it. Its log (${logFile}) ends with:\n${log}\n`,
    { cause },
  );
}

async function waitUntilReady(child: ChildProcess, options: ServerOptions): Promise<number> {
  let ended: { cause?: unknown } | undefined;
  child.once('error', (cause) => (ended = { cause }));
  child.once('exit', () => (ended ??= {}));
  const deadline = performance.now() + startTimeoutMs;
  while (ended === undefined) {
    const { pid } = child;
    if (pid !== undefined && isReady(options.cluster.clusterDir, pid)) return pid;
    if (performance.now() > deadline) {
      child.kill('SIGQUIT');
      throw new Error(`Postgres on ${options.cluster.clusterDir} isn't ready after a minute.`);
    }
    await delay(pollIntervalMs);
  }
  throw startFailure(options, ended.cause);
}

async function stopServer(child: ChildProcess, exited: Promise<void>): Promise<void> {
  const isGoneWithin = async (milliseconds: number): Promise<boolean> => {
    const timer = new AbortController();
    const waited = delay(milliseconds, false, { signal: timer.signal }).catch(() => false);
    const isGone = await Promise.race([exited.then(() => true), waited]);
    timer.abort();
    return isGone;
  };
  child.kill('SIGINT');
  if (await isGoneWithin(fastShutdownMs)) return;
  child.kill('SIGQUIT');
  if (await isGoneWithin(immediateShutdownMs)) return;
  child.kill('SIGKILL');
  await exited;
}

/**
 * Runs Postgres on an existing cluster until `stop`.
 *
 * @throws PortTaken, or DamagedCluster with the end of the server's log
 */
export async function runServer(options: ServerOptions): Promise<PostgresServer> {
  const child = spawnServer(options);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const pid = await waitUntilReady(child, options);
  let stopping: Promise<void> | undefined;
  return {
    pid,
    exited,
    stop: () => (stopping ??= stopServer(child, exited)),
    abort: () => void child.kill('SIGQUIT'),
  };
}
