import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@atelier/devstack';
import postgres from 'postgres';
import { asService, migrateForService } from '../../../../apps/api/src/testing/databases.ts';
import type { Product } from '../account.ts';
import type { Cleanup } from '../failover/cleanup.ts';
import { operate } from '../operator.ts';
import { createApi, type Api } from '../services/api.ts';
import { startStorageAndMail } from '../services/storage-and-mail.ts';
import { startCluster, type CitusCluster } from './cluster.ts';

/** The service on a distributed database. */
export interface CitusStack extends Product {
  readonly directory: string;
  readonly cluster: CitusCluster;
  readonly apis: readonly [Api, Api];
}

/** Later than the service has to respond: a request without a response by then hangs. */
const timeoutMs = 35_000;

/**
 * Starts everything.
 *
 * @param extensionsDir - with the files of Citus
 * @param cleanup - ends it, also if a part can't be started
 * @param keepsFiles - whether logs and data stay when it has ended
 */
export async function startCitusStack(
  extensionsDir: string,
  { cleanup, keepsFiles }: { cleanup: Cleanup; keepsFiles: () => boolean },
): Promise<CitusStack> {
  const directory = mkdtempSync(join(tmpdir(), 'atelier-citus-'));
  const endBy = cleanup.add;
  endBy(async () => {
    if (keepsFiles()) console.log(`Logs and data: ${directory}`);
    else await rm(directory, { recursive: true, force: true });
  });
  const cluster = await startCluster(extensionsDir, { directory, endBy });
  const [storagePort = 0, ...apiPorts] = await freePorts(3);
  const parts = await startStorageAndMail(directory, {
    port: storagePort,
    bucket: 'citus',
    endBy,
  });
  const { mail, storageEnvironment } = parts;
  const operatorEnvironment = { ...storageEnvironment, DATABASE_URL: cluster.url };
  await migrateForService(cluster.url);
  const { exitCode, stderr } = await operate({ operatorEnvironment }, ['distribute']);
  if (exitCode !== 0) throw new Error(stderr);

  const environment = {
    ...parts.environment,
    DATABASE_URL: asService(cluster.url),
    DATABASE_MIGRATION_URL: cluster.url,
    DATABASE_STATEMENT_TIMEOUT_MS: '5000',
  };
  const apiAt = (port: number, index: number) =>
    createApi(environment, { port, logFile: join(directory, `api-${index}.log`) });
  const apis = [apiAt(apiPorts[0] ?? 0, 1), apiAt(apiPorts[1] ?? 0, 2)] as const;
  endBy(() => Promise.all(apis.map((api) => api.end())));
  for (const api of apis) await api.start();
  const sql = postgres(cluster.url, { max: 2, onnotice: () => {}, connect_timeout: 5 });
  endBy(() => sql.end({ timeout: 1 }));
  return { directory, cluster, apis, mail, sql, operatorEnvironment, timeout: { timeoutMs } };
}
