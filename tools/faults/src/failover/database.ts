import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, createWriteStream, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '@atelier/devstack';
import postgres from 'postgres';
import { accepts } from '../../../../apps/api/src/testing/accepts.ts';
import { runHaproxy } from '../../../../apps/api/src/testing/balancer.ts';
import { kill } from '../../../../apps/api/src/testing/kill.ts';
import { locatePostgres } from '../../../../packages/devstack/src/postgres/binaries.ts';
import { binariesFor } from '../../../../packages/devstack/src/postgres/shared-binaries.ts';
import type { Programs } from '../programs.ts';
import { createNode, standIns, type DatabaseNode } from './node.ts';

/** What the servers say of themselves: Patroni's `/cluster`. */
export interface Member {
  readonly name: string;
  readonly role: 'leader' | 'replica' | 'sync_standby';
  readonly state: string;
  readonly timeline?: number;
}

/** Three Postgres servers under Patroni, and HAProxy in front of their primary. */
export interface FailoverDatabase {
  readonly nodes: readonly DatabaseNode[];
  /** URL of the primary for the owner of the tables. */
  readonly url: string;
  /** The same for the role of the service. */
  readonly serviceUrl: string;
  members(): Promise<readonly Member[]>;
  /** Returns the nodes by the roles that they have now. */
  roles(): Promise<Roles>;
  /** Waits until all three run, one as primary and one as its synchronous standby. */
  becomeWhole(): Promise<void>;
  /** Waits for another primary than this one. */
  replaced(primary: DatabaseNode): Promise<DatabaseNode>;
  /** Waits until this node is the synchronous standby. */
  hasSynchronous(standby: DatabaseNode): Promise<void>;
  switchOver(roles: Roles): Promise<void>;
  /** Turns synchronous mode on or off. */
  setSynchronous(mode: 'on' | 'off'): Promise<void>;
}

export interface Roles {
  readonly primary: DatabaseNode;
  readonly synchronous: DatabaseNode;
  readonly other: DatabaseNode;
}

const wholeSeconds = 90;
const superuser = { username: 'atelier', password: 'a-password-of-the-failover-test' };
const serviceUser = { username: 'atelier_service', password: 'a-password-of-the-service' };
const nobody = { uid: 65_534, gid: 65_534 };

export interface DatabaseOptions {
  readonly directory: string;
  readonly endBy: (end: () => Promise<unknown>) => void;
}

export async function startFailoverDatabase(
  programs: Programs<'etcd' | 'haproxy' | 'patroni'>,
  { directory, endBy }: DatabaseOptions,
): Promise<FailoverDatabase> {
  const [etcdPort = 0, peerPort = 0, haproxyPort = 0, ...ports] = await freePorts(9);
  endBy(await startEtcd(programs.etcd, { directory, etcdPort, peerPort }));
  const account = process.getuid?.() === 0 ? nobody : undefined;
  const binDirectory = await fillBinDirectory(directory, account);
  const nodes = [1, 2, 3].map((number) =>
    createNode({
      name: `postgres${number}`,
      directory,
      port: ports[number - 1] ?? 0,
      patroniPort: ports[number + 2] ?? 0,
      etcdPort,
      binDirectory,
      superuser,
      patroni: programs.patroni,
      account,
    }),
  );
  endBy(() => Promise.all(nodes.map((node) => node.end())));
  const haproxy = await runHaproxy(programs.haproxy, {
    configuration: join(import.meta.dirname, '../../../../deploy/haproxy/postgres.cfg'),
    port: haproxyPort,
    logFile: join(directory, 'haproxy-postgres.log'),
    environment: Object.fromEntries(
      nodes.flatMap(({ port, patroniUrl }, index) => [
        [`ATELIER_POSTGRES_${index + 1}`, `127.0.0.1:${port}`],
        [`ATELIER_PATRONI_${index + 1}`, new URL(patroniUrl).port],
      ]),
    ),
  });
  endBy(() => haproxy.stop());

  const address = `127.0.0.1:${haproxyPort}`;
  const urlOf = ({ username, password }: typeof superuser, database: string) =>
    `postgres://${username}:${password}@${address}/${database}`;

  async function members(): Promise<readonly Member[]> {
    const views = await Promise.all(
      nodes.map(({ patroniUrl }) =>
        fetch(`${patroniUrl}/cluster`, { signal: AbortSignal.timeout(2_000) }).then(
          // The shape is Patroni's.
          async (response) => (await response.json()) as { members?: readonly Member[] },
          () => null,
        ),
      ),
    );
    return views.find((view) => view?.members)?.members ?? [];
  }

  function nodeOf(all: readonly Member[], role: Member['role']): DatabaseNode | undefined {
    const member = all.find((one) => one.role === role && one.state === 'running');
    return nodes.find(({ name }) => name === member?.name);
  }

  async function roles(): Promise<Roles> {
    const all = await members();
    const [primary, synchronous] = [nodeOf(all, 'leader'), nodeOf(all, 'sync_standby')];
    const other = nodeOf(all, 'replica');
    if (primary && synchronous && other) return { primary, synchronous, other };
    throw new Error(`the database is not whole: ${JSON.stringify(all)}`);
  }

  async function becomeWhole(): Promise<void> {
    await until('the database is not whole', async () => {
      const all = await members();
      const timelines = new Set(all.map(({ timeline }) => timeline));
      const areAll = (['leader', 'sync_standby', 'replica'] as const).every((role) =>
        nodeOf(all, role),
      );
      return areAll && timelines.size === 1;
    });
  }

  async function patroni(path: string, method: 'PATCH' | 'POST', body: object): Promise<void> {
    const { primary } = await roles();
    const response = await fetch(`${primary.patroniUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }

  for (const node of nodes) node.start();
  await becomeWhole();
  await createDatabase(urlOf(superuser, 'postgres'));
  return {
    nodes,
    url: urlOf(superuser, 'atelier'),
    serviceUrl: urlOf(serviceUser, 'atelier'),
    members,
    roles,
    becomeWhole,
    async replaced(primary) {
      let next: DatabaseNode | undefined;
      await until(`${primary.name} is not replaced`, async () => {
        next = nodeOf(await members(), 'leader');
        return next !== undefined && next !== primary;
      });
      return next ?? primary;
    },
    hasSynchronous: (standby) =>
      until(`${standby.name} is not the synchronous standby`, async () => {
        return nodeOf(await members(), 'sync_standby') === standby;
      }),
    switchOver: ({ primary, synchronous }) =>
      patroni('/switchover', 'POST', { leader: primary.name, candidate: synchronous.name }),
    setSynchronous: (mode) =>
      patroni('/config', 'PATCH', {
        synchronous_mode: mode === 'on',
        synchronous_mode_strict: mode === 'on',
      }),
  };
}

async function startEtcd(
  program: string,
  { directory, etcdPort, peerPort }: { directory: string; etcdPort: number; peerPort: number },
): Promise<() => Promise<unknown>> {
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
  const child = spawn(
    program,
    [
      `--data-dir=${join(directory, 'etcd')}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      '--enable-v2=true',
    ],
    { env: {}, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const log = createWriteStream(join(directory, 'etcd.log'));
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  while (!(await accepts(etcdPort))) {
    if (child.exitCode !== null) throw new Error(`etcd exited at start; see ${directory}.`);
    await delay(20);
  }
  return () => kill(child);
}

/** Collects the programs of Postgres in one directory, as Patroni wants them. */
async function fillBinDirectory(
  directory: string,
  account: { uid: number; gid: number } | undefined,
): Promise<string> {
  const bin = join(directory, 'bin');
  mkdirSync(bin);
  chmodSync(directory, 0o755);
  const located = await locatePostgres();
  const { postgres: server, initdb, pgCtl } = account ? binariesFor(account, located) : located;
  for (const [name, path] of Object.entries({ postgres: server, initdb, pg_ctl: pgCtl })) {
    symlinkSync(path, join(bin, name));
  }
  for (const [name, path] of Object.entries(standIns)) {
    copyFileSync(path, join(bin, name));
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

async function createDatabase(adminUrl: string): Promise<void> {
  await until('the primary is not reachable', async () => {
    const sql = postgres(adminUrl, { max: 1, fetch_types: false, onnotice: () => {} });
    try {
      await sql`create database atelier`;
      return true;
    } catch {
      return false;
    } finally {
      await sql.end({ timeout: 1 });
    }
  });
}

async function until(complaint: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + wholeSeconds * 1_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`${complaint} within ${wholeSeconds} s`);
    await delay(200);
  }
}
