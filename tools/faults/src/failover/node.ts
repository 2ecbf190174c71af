import { spawn, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  createWriteStream,
  mkdirSync,
  readFileSync,
  writeFileSync,
  copyFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { kill as killChild } from '../../../../apps/api/src/testing/kill.ts';
import { childrenOf, signal, treesOf } from '../processes.ts';

/** A database server: Patroni and the Postgres that it runs. */
export interface DatabaseNode {
  readonly name: string;
  readonly port: number;
  readonly patroniUrl: string;
  start(): void;
  /** Kills all its processes at once, as a power cut does. */
  kill(): Promise<void>;
  /** Kills them, and ignores every later start or stop. */
  end(): Promise<void>;
  /** Stops all its processes with SIGSTOP, as a stalled machine does. */
  freeze(): void;
  /** Stops only the process that replays what the primary wrote. */
  freezeReplay(): void;
  thaw(): void;
}

export interface NodeOptions {
  readonly name: string;
  readonly directory: string;
  readonly port: number;
  readonly patroniPort: number;
  readonly etcdPort: number;
  /** Holds the programs of Postgres. */
  readonly binDirectory: string;
  readonly superuser: { readonly username: string; readonly password: string };
  readonly patroni: string;
  /** Postgres can't run as root. */
  readonly account: { uid: number; gid: number } | undefined;
}

const deployed = join(import.meta.dirname, '../../../../deploy/patroni/patroni.yml');
const programs = join(import.meta.dirname, 'programs');

/** Configures a node without starting it. */
export function createNode(options: NodeOptions): DatabaseNode {
  const { name, port, patroniPort, account } = options;
  const directory = join(options.directory, name);
  const data = join(directory, 'data');
  const configuration = join(directory, 'configuration');
  mkdirSync(configuration, { recursive: true });
  copyFileSync(deployed, join(configuration, '1-deployed.yml'));
  // Patroni merges the files of a directory; JSON is YAML.
  writeFileSync(
    join(configuration, '2-node.yml'),
    JSON.stringify(nodeSettings(options, directory)),
  );
  if (account) chownSync(directory, account.uid, account.gid);
  const log = createWriteStream(join(options.directory, `${name}.log`), { flags: 'a' });
  let patroni: ChildProcess | null = null;
  let frozen: number[] = [];
  let hasEnded = false;

  /** The server's processes: Patroni, Postgres, and what they started. */
  function processes(): number[] {
    return treesOf([patroni?.pid ?? 0, postmasterOf(data)].filter((pid) => pid > 0));
  }

  async function kill(): Promise<void> {
    // A process that is frozen may have lost its parent.
    for (const pid of new Set([...processes(), ...frozen])) signal(pid, 'SIGKILL');
    frozen = [];
    if (patroni) await killChild(patroni);
    patroni = null;
  }

  return {
    name,
    port,
    patroniUrl: `http://127.0.0.1:${patroniPort}`,
    start() {
      if (hasEnded) return;
      const started = spawn(options.patroni, [configuration], {
        // Its own directory, because an unprivileged user may not enter that of the checkout.
        cwd: directory,
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC' },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...account,
      });
      started.stdout.pipe(log, { end: false });
      started.stderr.pipe(log, { end: false });
      patroni = started;
    },
    kill,
    async end() {
      hasEnded = true;
      await kill();
    },
    freeze() {
      if (hasEnded) return;
      frozen = processes();
      for (const pid of frozen) signal(pid, 'SIGSTOP');
    },
    freezeReplay() {
      if (hasEnded) return;
      frozen = childrenOf(postmasterOf(data)).filter((pid) => commandOf(pid).includes('startup'));
      for (const pid of frozen) signal(pid, 'SIGSTOP');
    },
    thaw() {
      for (const pid of frozen) signal(pid, 'SIGCONT');
      frozen = [];
    },
  };
}

function nodeSettings(options: NodeOptions, directory: string): object {
  const { name, port, patroniPort, etcdPort, superuser, binDirectory } = options;
  return {
    name,
    // The older interface of etcd: over the newer one, this release lets a frozen primary take its lock back.
    etcd: { host: `127.0.0.1:${etcdPort}` },
    restapi: {
      listen: `127.0.0.1:${patroniPort}`,
      connect_address: `127.0.0.1:${patroniPort}`,
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(directory, 'data'),
      bin_dir: binDirectory,
      pgpass: join(directory, 'pgpass'),
      authentication: { superuser, replication: superuser },
      pg_hba: [
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication all 127.0.0.1/32 scram-sha-256',
      ],
      parameters: { unix_socket_directories: '', shared_buffers: '64MB', log_min_messages: 'log' },
      // The npm package of Postgres has neither pg_rewind nor pg_basebackup.
      use_pg_rewind: false,
      remove_data_directory_on_diverged_timelines: true,
      create_replica_methods: ['copy'],
      copy: { command: `/usr/bin/python3 ${join(binDirectory, 'copy_cluster')}` },
    },
    watchdog: { mode: 'off' },
  };
}

/** The programs of `bin_dir` that stand in for those that the npm package lacks, with their file names. */
export const standIns: Readonly<Record<string, string>> = {
  pg_controldata: join(programs, 'pg_controldata.py'),
  pg_isready: join(programs, 'pg_isready.py'),
  copy_cluster: join(programs, 'copy_cluster.py'),
};

/** @returns 0 if Postgres doesn't run */
function postmasterOf(data: string): number {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return 0;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
