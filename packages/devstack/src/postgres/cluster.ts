import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Account } from './account.ts';
import type { PostgresBinaries } from './binaries.ts';
import { postgresMajorVersion } from './binaries.ts';

export const superuser = 'atelier';
/** The role of the service. */
export const serviceRole = 'atelier_service';

/** The exact size of Postgres's control file. */
const controlFileSizeBytes = 8192;

/** A cluster on disk: its data, its owner, and the programs that serve it. */
export interface Cluster {
  clusterDir: string;
  passwordFile: string;
  binaries: PostgresBinaries;
  account: Account | undefined;
}

/** A data directory that Postgres can't or must not serve. */
export class DamagedCluster extends Error {
  constructor(clusterDir: string, what: string, options?: ErrorOptions) {
    super(
      `The Postgres data directory ${clusterDir} can't be used: ${what}. ` +
        'Move it away to recover it later, or delete it; the next start creates an empty one.',
      options,
    );
    this.name = 'DamagedCluster';
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function readInCluster(clusterDir: string, name: string): Buffer {
  try {
    return readFileSync(join(clusterDir, name));
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const what = isMissing ? `its file ${name} is missing` : `its file ${name} can't be read`;
    throw new DamagedCluster(clusterDir, what, { cause: error });
  }
}

/**
 * Inspects a cluster without changing it.
 *
 * @returns whether it exists
 * @throws DamagedCluster when it is damaged or something else
 */
export function clusterExists(clusterDir: string): boolean {
  const found = statSync(clusterDir, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (!found.isDirectory()) throw new DamagedCluster(clusterDir, 'it is not a directory');
  let names: string[];
  try {
    names = readdirSync(clusterDir);
  } catch (error) {
    throw new DamagedCluster(clusterDir, `it can't be read (${reasonOf(error)})`, { cause: error });
  }
  if (names.length === 0) return false;
  const version = readInCluster(clusterDir, 'PG_VERSION').toString('utf8').trim();
  if (version !== postgresMajorVersion) {
    const maker = /^\d+$/.test(version) ? `made by Postgres ${version}` : 'of an unknown version';
    throw new DamagedCluster(
      clusterDir,
      `it is ${maker}, and this is Postgres ${postgresMajorVersion}`,
    );
  }
  const { length } = readInCluster(clusterDir, 'global/pg_control');
  if (length !== controlFileSizeBytes) {
    throw new DamagedCluster(
      clusterDir,
      `its file global/pg_control has ${length} bytes instead of ${controlFileSizeBytes}`,
    );
  }
  return true;
}

/**
 * Returns the name by which a Postgres program opens its working directory.
 *
 * An unprivileged Postgres can't resolve a path below root's private home, but it keeps a working directory that
 * its parent entered before dropping privileges; this name refers to it.
 */
export function directoryArgument(cluster: Pick<Cluster, 'clusterDir' | 'account'>): string {
  const inherited = '/proc/self/cwd';
  return cluster.account !== undefined && existsSync(inherited) ? inherited : cluster.clusterDir;
}

/**
 * Returns an environment without variables of the caller, because PGPORT, PGDATA and others would change the
 * server; only Windows needs its own variables to run a program.
 */
export function postgresEnvironment(): NodeJS.ProcessEnv | undefined {
  return process.platform === 'win32' ? undefined : { LC_ALL: 'C', TZ: 'UTC' };
}

interface InitdbRun {
  cluster: Cluster;
  draftDir: string;
  passwordPath: string;
  isDurable: boolean;
}

function initdbFailure(draftDir: string, output: string): Error {
  const [, uid] = /could not look up effective user ID (\d+)/.exec(output) ?? [];
  if (uid === undefined) return new Error(`initdb failed in ${draftDir}:\n${output}`);
  return new Error(
    `Postgres needs a user with a name, and the user ${uid} has none. ` +
      'Run as a user that /etc/passwd lists, add a line there, or set DATABASE_URL.',
  );
}

async function runInitdb(run: InitdbRun): Promise<void> {
  const { cluster, draftDir, passwordPath, isDurable } = run;
  const { account, binaries } = cluster;
  const directory = directoryArgument({ clusterDir: draftDir, account });
  const passwordFd = openSync(passwordPath, 'r');
  // Like the directory, the file is accessible only by an inherited descriptor.
  const passwordArgument = directory === draftDir ? passwordPath : '/proc/self/fd/3';
  const child = spawn(
    binaries.initdb,
    [
      `--pgdata=${directory}`,
      `--username=${superuser}`,
      `--pwfile=${passwordArgument}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(isDurable ? [] : ['--no-sync']),
    ],
    {
      cwd: draftDir,
      env: postgresEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe', passwordFd],
      ...account,
    },
  );
  closeSync(passwordFd);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    child.once('error', (cause) => reject(new Error('initdb could not be run', { cause })));
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(initdbFailure(draftDir, output.trim()));
    });
  });
}

/**
 * Creates an empty cluster with a random password. An interruption leaves no incomplete cluster under its final
 * name.
 *
 * @param isDurable - whether to flush it to disk at once
 */
export async function createCluster(cluster: Cluster, isDurable: boolean): Promise<void> {
  const { clusterDir, passwordFile, account } = cluster;
  const draftDir = `${clusterDir}.new`;
  const draftPassword = `${passwordFile}.new`;
  for (const path of [draftDir, draftPassword, clusterDir]) {
    rmSync(path, { recursive: true, force: true });
  }
  mkdirSync(draftDir, { mode: 0o700 });
  writeFileSync(draftPassword, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (account !== undefined) {
    chownSync(draftDir, account.uid, account.gid);
    chownSync(draftPassword, account.uid, account.gid);
  }
  await runInitdb({ cluster, draftDir, passwordPath: draftPassword, isDurable });
  if (account !== undefined) chownSync(draftPassword, 0, 0);
  renameSync(draftPassword, passwordFile);
  renameSync(draftDir, clusterDir);
}

/** Reads the password of an existing cluster. @throws DamagedCluster when it is lost */
export function readPassword(cluster: Cluster): string {
  try {
    return readFileSync(cluster.passwordFile, 'utf8').trim();
  } catch (error) {
    throw new DamagedCluster(
      cluster.clusterDir,
      `its password in ${cluster.passwordFile} can't be read`,
      { cause: error },
    );
  }
}
