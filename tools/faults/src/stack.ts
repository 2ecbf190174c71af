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
import type { Storage } from './services/storage.ts';
import { startStorageProxy, type StorageProxy } from './services/storage-proxy.ts';

/** Triggers once, when a matching request goes to the database or its response comes back. */
export interface Trap {
  readonly on: 'request' | 'response';
  readonly pattern: RegExp;
  readonly onTrigger: () => void;
}

/** The product with its services and the means to break each of them. */
export interface Stack<Kept extends Storage = Storage> {
  readonly directory: string;
  readonly database: Database;
  /** Between the first API and Postgres; a string says why there is none. */
  readonly bouncer: Bouncer | string;
  /** Between each API and the database. */
  readonly databaseProxies: readonly [TcpProxy, TcpProxy];
  /** In the database proxy of the first API. */
  trap: Trap | null;
  readonly storage: Kept;
  readonly storageProxy: StorageProxy;
  readonly mail: MailServer;
  readonly apis: readonly [Api, Api];
  /** The variables of `pnpm operator`. */
  readonly operatorEnvironment: Readonly<Record<string, string>>;
  /** A connection to the database that bypasses the proxies. */
  readonly sql: postgres.Sql;
  stop(files: 'keep-files' | 'remove-files'): Promise<void>;
}

const secrets = {
  JWT_SECRET: randomBytes(32).toString('hex'),
  TOKEN_ENVELOPE_KEY: randomBytes(32).toString('hex'),
};

/**
 * @param startObjectStore - starts a storage in a directory of the stack, to listen on a port
 */
export async function startStack<Kept extends Storage>(
  startObjectStore: (directory: string, port: number) => Promise<Kept>,
): Promise<Stack<Kept>> {
  const directory = mkdtempSync(join(tmpdir(), 'atelier-faults-'));
  const [bouncerPort = 0, storagePort = 0, storageProxyPort = 0, ...apiPorts] = await freePorts(5);
  const database = await startDatabase(directory);
  const bouncer = await startBouncer(database.serviceUrl, { directory, port: bouncerPort });
  const storage = await startObjectStore(directory, storagePort);
  const storageProxy = await startStorageProxy(storagePort, storageProxyPort);
  const mail = await startMail();

  const stack = { trap: null as Trap | null };
  const triggers = (on: Trap['on'], request: string): boolean => {
    const { trap } = stack;
    if (trap?.on !== on || !trap.pattern.test(request)) return false;
    stack.trap = null;
    trap.onTrigger();
    return true;
  };
  const firstProxy = await startTcpProxy(
    typeof bouncer === 'string' ? database.port : bouncer.port,
    {
      onRequest: (request) => (triggers('request', request) ? 'swallow' : 'pass'),
      onResponse: (request) => (triggers('response', request) ? 'swallow' : 'pass'),
    },
  );
  const secondProxy = await startTcpProxy(database.port);
  const storageEnvironment = {
    S3_BUCKET: 'faults',
    S3_ACCESS_KEY: storage.keys.accessKey,
    S3_SECRET_KEY: storage.keys.secretKey,
  };
  const environment = {
    ...secrets,
    ...storageEnvironment,
    S3_ENDPOINT: `http://127.0.0.1:${storageProxyPort}`,
    S3_TIMEOUT_MS: '1000',
    SMTP_URL: mail.smtpUrl,
    DATABASE_POOL_MAX: '8',
    DATABASE_STATEMENT_TIMEOUT_MS: '5000',
    RATE_LIMIT_ENABLED: 'false',
    JOB_LEASE_SECONDS: '4',
    OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1',
    OUTBOUND_ALLOW_HTTP: 'true',
    LOG_LEVEL: 'warn',
  };
  const apiThrough = (proxy: TcpProxy, index: number) =>
    createApi(
      {
        ...environment,
        DATABASE_URL: withPort(database.serviceUrl, proxy.port),
        DATABASE_MIGRATION_URL: database.url,
      },
      { port: apiPorts[index] ?? 0, logFile: join(directory, `api-${index + 1}.log`) },
    );
  const apis = [apiThrough(firstProxy, 0), apiThrough(secondProxy, 1)] as const;
  for (const api of apis) await api.start();
  const sql = postgres(database.url, { max: 2, onnotice: () => {}, connect_timeout: 5 });

  return Object.assign(stack, {
    directory,
    database,
    bouncer,
    databaseProxies: [firstProxy, secondProxy] as const,
    storage,
    storageProxy,
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
      await Promise.all([
        firstProxy.close(),
        secondProxy.close(),
        storageProxy.close(),
        mail.stop(),
      ]);
      if (typeof bouncer !== 'string') await bouncer.stop();
      await storage.kill();
      await database.stop();
      if (files === 'remove-files') await rm(directory, { recursive: true, force: true });
    },
  });
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
