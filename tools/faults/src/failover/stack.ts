import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@atelier/devstack';
import postgres from 'postgres';
import { startBalancer } from '../../../../apps/api/src/testing/balancer.ts';
import { startTcpProxy, type TcpProxy } from '../../../../apps/api/src/testing/tcp-proxy.ts';
import type { Product } from '../account.ts';
import { supportsPreparedStatements, type Programs } from '../programs.ts';
import { startPooler } from '../scale/pooler.ts';
import { createApi, type Api } from '../services/api.ts';
import { startStorageAndMail } from '../services/storage-and-mail.ts';
import type { Cleanup } from './cleanup.ts';
import { startFailoverDatabase, type FailoverDatabase } from './database.ts';

/** The service on a database that survives the loss of a server. */
export interface FailoverStack extends Product {
  readonly directory: string;
  /** The URL of the balancer, the only one that clients know. */
  readonly url: string;
  readonly database: FailoverDatabase;
  /** The first reaches the database through PgBouncer, the second does not. */
  readonly instances: readonly [Api, Api];
  /** Between PgBouncer or the instance, and the primary's HAProxy. */
  readonly paths: readonly [TcpProxy, TcpProxy];
}

export type FailoverPrograms = Programs<'etcd' | 'haproxy' | 'patroni' | 'pgbouncer'>;

/**
 * Starts everything.
 *
 * @param cleanup - ends it, also if a part can't be started
 * @param keepsFiles - whether logs and data stay when it has ended
 */
export async function startFailoverStack(
  programs: FailoverPrograms,
  { cleanup, keepsFiles }: { cleanup: Cleanup; keepsFiles: () => boolean },
): Promise<FailoverStack> {
  const directory = mkdtempSync(join(tmpdir(), 'atelier-failover-'));
  cleanup.add(async () => {
    if (keepsFiles()) console.log(`Logs and data: ${directory}`);
    else await rm(directory, { recursive: true, force: true });
  });
  const parts = await startParts(programs, { directory, endBy: cleanup.add });
  return { ...parts, directory };
}

async function startParts(
  programs: FailoverPrograms,
  { directory, endBy }: { directory: string; endBy: (end: () => Promise<unknown>) => void },
): Promise<Omit<FailoverStack, 'directory'>> {
  const [storagePort = 0, poolerPort = 0, balancerPort = 0, firstPort = 0, secondPort = 0] =
    await freePorts(5);
  const database = await startFailoverDatabase(programs, { directory, endBy });
  const databasePort = Number(new URL(database.url).port);
  const paths = [await startTcpProxy(databasePort), await startTcpProxy(databasePort)] as const;
  endBy(() => Promise.all(paths.map((path) => path.close())));
  const [pooledPath, directPath] = paths;
  const pooler = await startPooler(programs.pgbouncer, {
    directory,
    port: poolerPort,
    databaseUrl: withPort(database.serviceUrl, pooledPath.port),
  });
  endBy(() => pooler.stop());
  const parts = await startStorageAndMail(directory, {
    port: storagePort,
    bucket: 'failover',
    endBy,
  });
  const { mail, storageEnvironment } = parts;
  const url = `http://127.0.0.1:${balancerPort}`;
  const environment = {
    ...parts.environment,
    BASE_URL: url,
    APP_URL: url,
    TRUSTED_PROXIES: '127.0.0.1',
    DATABASE_MIGRATION_URL: database.url,
  };
  const pooled = {
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: withPort(database.serviceUrl, pooledPath.port),
    DATABASE_PREPARE: String(supportsPreparedStatements(programs.pgbouncer)),
  };
  const direct = { DATABASE_URL: withPort(database.serviceUrl, directPath.port) };
  const instances = [
    createApi(
      { ...environment, ...pooled },
      { port: firstPort, logFile: join(directory, 'api-1.log') },
    ),
    createApi(
      { ...environment, ...direct },
      { port: secondPort, logFile: join(directory, 'api-2.log') },
    ),
  ] as const;
  endBy(() => Promise.all(instances.map((instance) => instance.end())));
  for (const instance of instances) await instance.start();
  const balancer = await startBalancer(programs.haproxy, {
    directory,
    port: balancerPort,
    // The configuration has four places.
    instancePorts: [firstPort, secondPort, firstPort, secondPort],
  });
  endBy(() => balancer.stop());
  const sql = postgres(database.url, { max: 2, onnotice: () => {}, connect_timeout: 5 });
  endBy(() => sql.end({ timeout: 1 }));

  return {
    url,
    apis: [{ url }],
    database,
    instances,
    paths,
    mail,
    sql,
    timeout: { timeoutMs: 60_000 },
    operatorEnvironment: { ...storageEnvironment, DATABASE_URL: database.url },
  };
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
