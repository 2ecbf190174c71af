import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts, startIdentityProvider, startPostgres } from '@atelier/devstack';
import postgres from 'postgres';
import { startRedisServer } from '../../../../apps/api/src/testing/redis-server.ts';
import type { Product } from '../account.ts';
import { createApi, type Api } from '../services/api.ts';
import { startMail } from '../services/mail.ts';
import { startStorage } from '../services/storage.ts';
import { startJobProcess, type JobProcess } from '../services/worker.ts';
import { startBalancer } from '../../../../apps/api/src/testing/balancer.ts';
import { startPooler } from './pooler.ts';
import { supportsPreparedStatements, type Programs } from '../programs.ts';

/** The service as it runs on several machines; here on one. */
export interface Cluster extends Product {
  readonly directory: string;
  /** The URL of the balancer, the only one that clients know. */
  readonly url: string;
  readonly mailUrl: string;
  readonly instances: readonly Api[];
  /** They compete for the jobs and for the activity log. */
  readonly jobProcesses: readonly JobProcess[];
  /** Waits until every instance and the balancer are ready. */
  becomeReady(): Promise<void>;
  stop(files: 'keep-files' | 'remove-files'): Promise<void>;
}

const instanceCount = 4;
const jobProcessCount = 2;
type ScalePrograms = Programs<'haproxy' | 'pgbouncer' | 'redis-server'>;
/** All clients share one address here, which would soon reach its limits. */
const highLimits = {
  RATE_LIMIT_LOGIN_FAILURES_PER_ADDRESS: '100000',
  RATE_LIMIT_REGISTER_PER_ADDRESS: '100000',
  RATE_LIMIT_PASSWORD_RESET_PER_ADDRESS: '100000',
  RATE_LIMIT_REFRESH_PER_ADDRESS: '100000',
  RATE_LIMIT_DEFAULT_PER_CALLER: '100000',
};

/** Starts the cluster. If a part fails, stops the others. */
export async function startCluster(programs: ScalePrograms): Promise<Cluster> {
  const directory = mkdtempSync(join(tmpdir(), 'atelier-scale-'));
  const ends: (() => Promise<unknown>)[] = [];
  /** Stops the parts in reverse order. */
  const endAll = async () => {
    for (let end = ends.pop(); end; end = ends.pop()) await end();
  };
  try {
    const parts = await startParts(programs, { directory, endBy: (end) => void ends.push(end) });
    return {
      ...parts,
      directory,
      async stop(files) {
        await endAll();
        if (files === 'remove-files') await rm(directory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await endAll();
    console.error(`Logs: ${directory}`);
    throw error;
  }
}

async function startParts(
  programs: ScalePrograms,
  { directory, endBy }: { directory: string; endBy: (end: () => Promise<unknown>) => void },
): Promise<Omit<Cluster, 'directory' | 'stop'>> {
  const [storagePort = 0, poolerPort = 0, balancerPort = 0, ...instancePorts] = await freePorts(
    3 + instanceCount,
  );
  const url = `http://127.0.0.1:${balancerPort}`;
  const database = await startPostgres({
    dataDir: join(directory, 'postgres'),
    settings: { max_connections: '200' },
  });
  endBy(() => database.stop());
  const pooler = await startPooler(programs.pgbouncer, {
    directory,
    port: poolerPort,
    databaseUrl: database.serviceUrl,
  });
  endBy(() => pooler.stop());
  const redis = await startRedisServer(programs['redis-server']);
  endBy(() => redis.close());
  const storage = await startStorage(directory, storagePort);
  endBy(() => storage.kill());
  const mail = await startMail();
  endBy(() => mail.stop());
  const redirectUris = ['google', 'github'].map((name) => `${url}/api/auth/${name}/callback`);
  const application = {
    clientId: 'scale',
    clientSecret: 'a secret of the scale test',
    redirectUris,
  };
  const identity = await startIdentityProvider({
    google: application,
    github: { ...application, clientId: 'scale-too' },
  });
  endBy(() => identity.stop());
  const { google } = identity;
  const storageEnvironment = {
    S3_BUCKET: 'scale',
    S3_ENDPOINT: `http://127.0.0.1:${storagePort}`,
    S3_ACCESS_KEY: storage.keys.accessKey,
    S3_SECRET_KEY: storage.keys.secretKey,
  };
  const environment = {
    ...highLimits,
    ...storageEnvironment,
    BASE_URL: url,
    APP_URL: url,
    TRUSTED_PROXIES: '127.0.0.1',
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: database.serviceUrl,
    DATABASE_MIGRATION_URL: database.url,
    DATABASE_ROW_LEVEL_SECURITY: 'true',
    DATABASE_PREPARE: String(supportsPreparedStatements(programs.pgbouncer)),
    REDIS_URL: redis.url,
    SMTP_URL: mail.smtpUrl,
    JWT_SECRET: randomBytes(32).toString('hex'),
    TOKEN_ENVELOPE_KEY: randomBytes(32).toString('hex'),
    OAUTH_GOOGLE_CLIENT_ID: google.clientId,
    OAUTH_GOOGLE_CLIENT_SECRET: google.clientSecret,
    OAUTH_GOOGLE_AUTHORIZATION_ENDPOINT: google.authorizationEndpoint,
    OAUTH_GOOGLE_TOKEN_ENDPOINT: google.tokenEndpoint,
    OAUTH_GOOGLE_JWKS_URI: google.jwksUri,
    OAUTH_GOOGLE_ISSUER: google.issuer,
    JOBS: 'separate',
    // The receiver of webhooks.
    OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1',
    OUTBOUND_ALLOW_HTTP: 'true',
    // Load shedding would only measure that all processes share this machine.
    MAX_EVENT_LOOP_DELAY_MS: '0',
    // As in the image, longer than the balancer takes to notice.
    SHUTDOWN_DRAIN_MS: '6000',
    LOG_LEVEL: 'warn',
  };
  const instances = instancePorts.map((port, index) =>
    createApi(environment, { port, logFile: join(directory, `api-${index + 1}.log`) }),
  );
  endBy(() =>
    Promise.all(
      instances.map(async (instance) => {
        instance.kill();
        await instance.ended();
      }),
    ),
  );
  await Promise.all(instances.map((instance) => instance.start()));
  const jobProcesses: JobProcess[] = [];
  endBy(() => Promise.all(jobProcesses.map((jobs) => jobs.stop())));
  for (let number = 1; number <= jobProcessCount; number += 1) {
    jobProcesses.push(await startJobProcess(environment, join(directory, `jobs-${number}.log`)));
  }
  const balancer = await startBalancer(programs.haproxy, {
    directory,
    port: balancerPort,
    instancePorts,
  });
  endBy(() => balancer.stop());
  const sql = postgres(database.url, { max: 2, onnotice: () => {}, connect_timeout: 5 });
  endBy(() => sql.end({ timeout: 1 }));

  return {
    url,
    mailUrl: mail.url,
    apis: [{ url }],
    instances,
    jobProcesses,
    mail,
    sql,
    timeout: { timeoutMs: 60_000 },
    operatorEnvironment: { ...storageEnvironment, DATABASE_URL: database.url },
    becomeReady: () => untilAllReady([url, ...instances.map((instance) => instance.url)]),
  };
}

const readySeconds = 60;

async function untilAllReady(urls: readonly string[]): Promise<void> {
  const deadline = performance.now() + readySeconds * 1_000;
  for (const url of urls) {
    for (;;) {
      const isReady = await fetch(`${url}/health/ready`, {
        signal: AbortSignal.timeout(5_000),
      }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) break;
      if (performance.now() > deadline) throw new Error(`${url} is not ready`);
      await delay(50);
    }
  }
}
