import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@atelier/devstack';
import postgres from 'postgres';
import { startTcpProxy, type TcpProxy } from '../../../apps/api/src/testing/tcp-proxy.ts';
import { createApi, type Api } from './services/api.ts';
import { startBouncer, type Bouncer } from './services/bouncer.ts';
import { startDatabase, type Database } from './services/database.ts';
import { startMail, type MailServer } from './services/mail.ts';
import { startStorage, type Storage } from './services/storage.ts';
import { startStorageProxy, type StorageProxy } from './services/storage-proxy.ts';

/** Strikes when an API says, or hears, something of the database; once. */
export interface Trap {
  readonly on: 'request' | 'answer';
  readonly pattern: RegExp;
  readonly strike: () => void;
}

/** Everything that runs, with all the ways to break it. */
export interface Stack {
  readonly directory: string;
  readonly database: Database;
  /** Between the first API and Postgres; or why there is none. */
  readonly bouncer: Bouncer | string;
  /** The ways of the APIs to the database. */
  readonly databaseWays: readonly [TcpProxy, TcpProxy];
  /** On the way of the first API. */
  trap: Trap | null;
  readonly storage: Storage;
  readonly storageWay: StorageProxy;
  readonly mail: MailServer;
  readonly apis: readonly [Api, Api];
  /** What `pnpm operator` needs. */
  readonly operatorEnvironment: Readonly<Record<string, string>>;
  /** A way of its own to the database. */
  readonly sql: postgres.Sql;
  stop(files: 'keep-files' | 'remove-files'): Promise<void>;
}

const secrets = {
  JWT_SECRET: randomBytes(32).toString('hex'),
  TOKEN_ENVELOPE_KEY: randomBytes(32).toString('hex'),
};

export async function startStack(): Promise<Stack> {
  const directory = mkdtempSync(join(tmpdir(), 'atelier-faults-'));
  const [bouncerPort = 0, storagePort = 0, storageWayPort = 0, ...apiPorts] = await freePorts(5);
  const database = await startDatabase(directory);
  const bouncer = await startBouncer(database.serviceUrl, { directory, port: bouncerPort });
  const storage = await startStorage(directory, storagePort);
  const storageWay = await startStorageProxy(storagePort, storageWayPort);
  const mail = await startMail();

  const stack = { trap: null as Trap | null };
  const sprung = (on: Trap['on'], request: string): boolean => {
    const { trap } = stack;
    if (trap?.on !== on || !trap.pattern.test(request)) return false;
    stack.trap = null;
    trap.strike();
    return true;
  };
  const firstWay = await startTcpProxy(typeof bouncer === 'string' ? database.port : bouncer.port, {
    onRequest: (request) => (sprung('request', request) ? 'swallow' : 'pass'),
    onAnswer: (request) => (sprung('answer', request) ? 'swallow' : 'pass'),
  });
  const secondWay = await startTcpProxy(database.port);
  const storageEnvironment = {
    S3_BUCKET: 'faults',
    S3_ACCESS_KEY: storage.keys.accessKey,
    S3_SECRET_KEY: storage.keys.secretKey,
  };
  const environment = {
    ...secrets,
    ...storageEnvironment,
    S3_ENDPOINT: `http://127.0.0.1:${storageWayPort}`,
    S3_TIMEOUT_MS: '1000',
    SMTP_URL: mail.smtpUrl,
    DATABASE_POOL_MAX: '8',
    DATABASE_STATEMENT_TIMEOUT_MS: '5000',
    RATE_LIMIT_ENABLED: 'false',
    JOB_LEASE_SECONDS: '4',
    LOG_LEVEL: 'warn',
  };
  const apiOn = (way: TcpProxy, index: number) =>
    createApi(
      {
        ...environment,
        DATABASE_URL: throughPort(database.serviceUrl, way.port),
        DATABASE_MIGRATION_URL: database.url,
      },
      { port: apiPorts[index] ?? 0, logFile: join(directory, `api-${index + 1}.log`) },
    );
  const apis = [apiOn(firstWay, 0), apiOn(secondWay, 1)] as const;
  for (const api of apis) await api.start();
  const sql = postgres(database.url, { max: 2, onnotice: () => {}, connect_timeout: 5 });

  return Object.assign(stack, {
    directory,
    database,
    bouncer,
    databaseWays: [firstWay, secondWay] as const,
    storage,
    storageWay,
    mail,
    apis,
    sql,
    operatorEnvironment: {
      ...storageEnvironment,
      S3_ENDPOINT: `http://127.0.0.1:${storagePort}`,
      DATABASE_URL: database.url,
    },
    async stop(files: 'keep-files' | 'remove-files') {
      for (const api of apis) api.kill();
      await Promise.all(apis.map((api) => api.ended()));
      await sql.end({ timeout: 1 });
      await Promise.all([firstWay.close(), secondWay.close(), storageWay.close(), mail.stop()]);
      if (typeof bouncer !== 'string') await bouncer.stop();
      await storage.kill();
      await database.stop();
      if (files === 'remove-files') await rm(directory, { recursive: true, force: true });
    },
  });
}

function throughPort(url: string, port: number): string {
  const through = new URL(url);
  through.port = String(port);
  return through.href;
}
