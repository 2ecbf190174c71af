import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createS3ObjectStore } from '../../../../apps/api/src/adapters/s3.ts';
import type { Programs } from '../programs.ts';
import type { Storage } from './storage.ts';

export type CephPrograms = Programs<
  'ceph' | 'ceph-mon' | 'ceph-osd' | 'monmaptool' | 'radosgw' | 'radosgw-admin'
>;

/** One process of the cluster. */
export interface CephDaemon {
  start(): void;
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
}

/** An OSD. Every object is on three of them, and two suffice to write. */
export interface Osd extends CephDaemon {
  /** Resolves when the monitor has noticed. */
  becomes(state: 'up' | 'down'): Promise<void>;
}

/** A storage whose gateway is killed and paused by the means of every storage. */
export interface Ceph extends Storage {
  readonly osds: readonly Osd[];
  readonly monitor: CephDaemon;
  stop(): Promise<void>;
}

const keys = { accessKey: 'faults-access-key', secretKey: 'faults-secret-key' };
const clusterId = '6f1d3a52-2f0c-4a0e-9d55-5a4b5d8f7e01';
const gatewayName = 'client.rgw.faults';
const osdIds = ['0', '1', '2'];
const waitMs = 60_000;

interface Places {
  readonly directory: string;
  /** The gateway's. */
  readonly port: number;
  readonly monitorPort: number;
}

/** Starts a monitor, three OSDs and a gateway, which keep their data in a directory. If one fails, ends the others. */
export async function startCeph(programs: CephPrograms, places: Places): Promise<Ceph> {
  const daemons: CephDaemon[] = [];
  const stop = async () => {
    for (const daemon of daemons.toReversed()) await daemon.kill();
  };
  try {
    return { ...(await startDaemons(programs, places, daemons)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startDaemons(
  programs: CephPrograms,
  places: Places,
  daemons: CephDaemon[],
): Promise<Omit<Ceph, 'stop'>> {
  const { directory, port, monitorPort } = places;
  for (const name of ['monitor', 'gateway', 'run', ...osdIds.map((id) => `osd-${id}`)]) {
    mkdirSync(join(directory, name), { recursive: true });
  }
  const configuration = join(directory, 'ceph.conf');
  writeFileSync(configuration, configurationOf(places));

  async function run(program: keyof CephPrograms, ...args: string[]): Promise<string> {
    const env = { ...process.env, CEPH_CONF: configuration };
    const options = { env, timeout: waitMs };
    return (await promisify(execFile)(programs[program], args, options)).stdout;
  }
  function start(program: keyof CephPrograms, name: string, ...args: string[]): CephDaemon {
    const daemon = createDaemon(programs[program], {
      args: ['--conf', configuration, '-f', ...args],
      logFile: join(directory, `${name}.log`),
    });
    daemon.start();
    daemons.push(daemon);
    return daemon;
  }

  const map = join(directory, 'monmap');
  const address = `[v1:127.0.0.1:${monitorPort}]`;
  await run('monmaptool', '--create', '--addv', 'a', address, '--fsid', clusterId, map);
  await run('ceph-mon', '--mkfs', '--id', 'a', '--monmap', map);
  const monitor = start('ceph-mon', 'monitor', '--id', 'a');

  async function isOsd(id: string, state: 'up' | 'down'): Promise<boolean> {
    const dump = await run('ceph', 'osd', 'dump', '--format', 'json');
    // The format of `ceph osd dump`.
    const { osds } = JSON.parse(dump) as { osds: { osd: number; up: number }[] };
    return osds.some(({ osd, up }) => String(osd) === id && (up === 1) === (state === 'up'));
  }
  const osds: Osd[] = [];
  for (const id of osdIds) {
    await run('ceph', 'osd', 'create');
    await run('ceph-osd', '--mkfs', '--id', id);
    await run('ceph', 'osd', 'crush', 'add', `osd.${id}`, '1', 'root=default');
    const osd = start('ceph-osd', `osd-${id}`, '--id', id);
    const becomes = (state: 'up' | 'down') =>
      until(`OSD ${id} is ${state}`, () => isOsd(id, state));
    osds.push({ ...osd, becomes });
  }
  await Promise.all(osds.map((osd) => osd.becomes('up')));

  const { accessKey, secretKey } = keys;
  const account = ['--uid=faults', '--display-name=Faults'];
  const secrets = [`--access-key=${accessKey}`, `--secret-key=${secretKey}`];
  await run('radosgw-admin', 'user', 'create', ...account, ...secrets);
  const gateway = start('radosgw', 'gateway', '--name', gatewayName);
  const isServing = () => until('the gateway responds', () => responds(port));
  await isServing();
  await createPools(port);
  return {
    port,
    keys,
    osds,
    monitor,
    async start() {
      gateway.start();
      await isServing();
    },
    kill: () => gateway.kill(),
    pause: () => gateway.pause(),
    resume: () => gateway.resume(),
  };
}

/** The gateway creates its pools for the first bucket, object and upload, which takes seconds. */
async function createPools(port: number): Promise<void> {
  const endpoint = `http://127.0.0.1:${port}`;
  const store = createS3ObjectStore({
    ...keys,
    endpoint,
    publicEndpoint: endpoint,
    region: 'us-east-1',
    bucket: 'first',
    timeoutMs: waitMs,
  });
  await store.setUp([]);
  const file = { key: 'first', contentType: 'text/plain' };
  await store.putObject({ ...file, content: Buffer.of(1) });
  const storageUploadId = await store.createMultipartUpload(file);
  await store.abortMultipartUpload({ key: file.key, storageUploadId });
}

function createDaemon(
  program: string,
  { args, logFile }: { args: readonly string[]; logFile: string },
): CephDaemon {
  let child: ChildProcess | null = null;
  const log = createWriteStream(logFile, { flags: 'a' });
  return {
    start() {
      const started = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      started.stdout.pipe(log, { end: false });
      started.stderr.pipe(log, { end: false });
      child = started;
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      child = null;
      await ended;
    },
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
  };
}

async function responds(port: number): Promise<boolean> {
  const url = `http://127.0.0.1:${port}/`;
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + waitMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`Ceph: not within a minute: ${what}.`);
    await delay(100);
  }
}

function configurationOf({ directory, port, monitorPort }: Places): string {
  // Only the older protocol: over the newer one, the gateway of Ceph 16 can't log in without authentication.
  return `[global]
fsid = ${clusterId}
mon host = v1:127.0.0.1:${monitorPort}
ms bind msgr2 = false
public network = 127.0.0.0/8
auth cluster required = none
auth service required = none
auth client required = none
run dir = ${directory}/run
admin socket = ${directory}/run/$name.asok
pid file = ${directory}/run/$name.pid
log to file = false
log to stderr = true
mon data = ${directory}/monitor
mon osd min down reporters = 1
osd data = ${directory}/osd-$id
osd heartbeat interval = 1
osd heartbeat grace = 4
osd objectstore = bluestore
bluestore block size = 8589934592
osd memory target = 939524096
osd class update on start = false
osd crush update on start = false
osd crush chooseleaf type = 0
osd pool default size = ${osdIds.length}
osd pool default min size = ${osdIds.length - 1}
osd pool default pg num = 4
osd pool default pg autoscale mode = off

[${gatewayName}]
rgw data = ${directory}/gateway
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw thread pool size = 64
`;
}
