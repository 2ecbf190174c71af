import { execFileSync } from 'node:child_process';
import { chownSync, copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type RunningPostgres } from '@atelier/devstack';
import postgres from 'postgres';
import { migrateForService } from './databases.ts';
import { startProxyTo } from './tcp-proxy.ts';

/** A primary with a streaming replica, both real servers. */
export interface ReplicatedDatabase {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  /** The replica keeps receiving WAL, but doesn't replay it. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Resolves when the replica shows everything that is committed now. */
  catchUp(): Promise<void>;
  /** How often a service queried the replica for activities. */
  readsOnReplica(): Promise<number>;
  stopReplica(): Promise<void>;
  startReplica(): Promise<void>;
  /** The service's connections to the replica stay open, but stall. */
  silence(): void;
  endSilence(): void;
  /** Promotes the replica. */
  promoteReplica(): Promise<void>;
  /** Adds another replica, beside the one above. @returns its URL */
  addReplica(): Promise<string>;
  close(): Promise<void>;
}

const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  shared_preload_libraries: 'pg_stat_statements',
};

/** Starts an empty, migrated primary and a replica that was created from its files while it ran. */
export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'atelier-replica-'));
  const primaryDir = join(directory, 'primary');
  const replicaDir = join(directory, 'replica');
  const primary = await startPostgres({ dataDir: primaryDir, settings });
  await migrateForService(primary.url);
  const onPrimary = postgres(primary.url, { max: 1, onnotice: () => {} });
  await onPrimary`create extension pg_stat_statements`;
  await copyCluster(primary, { from: primaryDir, to: replicaDir });

  const source = new URL(primary.url);
  const startReplica = (port?: number, dataDir = replicaDir) =>
    startPostgres({
      dataDir,
      ...(port !== undefined && { port }),
      settings: {
        ...settings,
        primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${source.username} password=${decodeURIComponent(source.password)}`,
      },
    });
  let replica: RunningPostgres = await startReplica();
  const { port, url: ownUrl } = replica;
  const { proxy: way, url: replicaUrl } = await startProxyTo(ownUrl);
  let onReplica = postgres(ownUrl, { max: 1, onnotice: () => {} });
  const others: RunningPostgres[] = [];

  return {
    primaryUrl: primary.url,
    replicaUrl,
    async pause() {
      await onReplica`select pg_wal_replay_pause()`;
      await until(async () => {
        const [row] = await onReplica`select pg_get_wal_replay_pause_state() = 'paused' as holds`;
        return row?.['holds'] === true;
      });
    },
    async resume() {
      await onReplica`select pg_wal_replay_resume()`;
    },
    async catchUp() {
      // A record of its own, written at once: the end of the log may lie behind a page's header, where no record ends yet.
      const [written] =
        await onPrimary`select pg_logical_emit_message(false, 'catch up', '', true)::text as position`;
      await until(async () => {
        const [row] =
          await onReplica`select pg_last_wal_replay_lsn() >= ${String(written?.['position'])}::pg_lsn as holds`;
        return row?.['holds'] === true;
      });
    },
    async readsOnReplica() {
      const [row] = await onReplica`
        select coalesce(sum(calls), 0)::int as calls from pg_stat_statements
        where query like '%from "activities"%' and query not like '%pg_stat_statements%'`;
      return Number(row?.['calls']);
    },
    async stopReplica() {
      await onReplica.end({ timeout: 0 });
      await replica.stop();
    },
    async startReplica() {
      replica = await startReplica(port);
      onReplica = postgres(ownUrl, { max: 1, onnotice: () => {} });
    },
    silence: () => way.stall(),
    endSilence: () => way.restore(),
    async promoteReplica() {
      await onReplica`select pg_promote(wait => true)`;
    },
    async addReplica() {
      const otherDir = join(directory, `replica-${others.length}`);
      await copyCluster(primary, { from: primaryDir, to: otherDir });
      const other = await startReplica(undefined, otherDir);
      others.push(other);
      return other.url;
    },
    async close() {
      await Promise.all(others.map((other) => other.stop()));
      await Promise.all([onPrimary.end({ timeout: 1 }), onReplica.end({ timeout: 1 })]);
      await Promise.all([way.close(), primary.stop(), replica.stop()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Makes a base backup with the server's own functions: the bundled Postgres has no pg_basebackup. */
async function copyCluster(
  { url }: RunningPostgres,
  { from, to }: { from: string; to: string },
): Promise<void> {
  // The backup lasts as long as the session that started it.
  const session = postgres(url, { max: 1, idle_timeout: 0, onnotice: () => {} });
  try {
    await session`select pg_backup_start('replica', fast => true)`;
    mkdirSync(to, { mode: 0o700 });
    // With its owner, who may differ from the user that runs the tests.
    execFileSync('cp', ['-a', join(from, 'cluster'), to]);
    copyFileSync(join(from, 'password'), join(to, 'password'));
    const [backup] = await session`select labelfile from pg_backup_stop(wait_for_archive => false)`;
    const cluster = join(to, 'cluster');
    for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(cluster, name));
    const { uid, gid } = statSync(join(cluster, 'PG_VERSION'));
    const contents = { backup_label: String(backup?.['labelfile']), 'standby.signal': '' };
    for (const [name, content] of Object.entries(contents)) {
      writeFileSync(join(cluster, name), content);
      chownSync(join(cluster, name), uid, gid);
    }
  } finally {
    await session.end({ timeout: 1 });
  }
}

/** Ends what hangs. A replica that waits for a busy machine isn't that. */
const patienceMs = 120_000;

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('the replica does not get there');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
