import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { operations, type OperationId } from '@atelier/contract';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { inject, onTestFinished } from 'vitest';
import { readConfig, type Config } from '../config.ts';
import { connectDatabase } from '../db/client.ts';
import type { Database } from '../db/executor.ts';
import type { Deps } from '../deps.ts';
import { ownerDatabaseUrl } from '../db/addresses.ts';
import type { Clock } from '../ports/clock.ts';
import { recordStatus } from './coverage.ts';
import {
  asService,
  createDatabase,
  databaseOf,
  newDatabaseName,
  withDatabase,
} from './databases.ts';
import { assembleService } from './service.ts';
import { testBaseUrl } from './test-base-url.ts';

/** The service's clock in a test: real time plus an offset that the test sets. */
export class TestClock implements Clock {
  #offsetMs = 0;
  #stoodAtMs: number | null = null;

  now(): Date {
    return new Date((this.#stoodAtMs ?? Date.now()) + this.#offsetMs);
  }

  /**
   * Stands until the end of the test, and then only `advance` moves it: for what lies a second before the end of a time,
   * and for what must not wait for one.
   */
  stand(): void {
    this.#stoodAtMs = Date.now();
    onTestFinished(() => {
      this.#stoodAtMs = null;
    });
  }

  advance(time: { seconds: number }): void {
    this.#offsetMs += time.seconds * 1000;
  }
}

/** A running API over real HTTP, with its own database. */
export interface TestApi {
  readonly url: string;
  readonly app: FastifyInstance;
  readonly config: Config;
  /** Connects as the owner of the tables, for a test's setup and assertions; `deps.db` is the service's. */
  readonly db: Database;
  /** The URL of `db`. */
  readonly ownerUrl: string;
  readonly deps: Deps;
  readonly clock: TestClock;
  close(): Promise<void>;
}

interface TestApiOptions {
  readonly clock?: TestClock;
  readonly databaseUrl?: string;
  /**
   * Whether scheduled jobs start by themselves. By default a test enqueues those that it is about: the schedule is of real
   * time, and each quarter of an hour some of them would meet some test that has moved its clock.
   */
  readonly hasSchedule?: boolean;
}

/** Starts the API of a test file; the variables override the defaults of the tests. */
export async function startTestApi(
  overrides: Record<string, string> = {},
  { clock = new TestClock(), databaseUrl, hasSchedule = false }: TestApiOptions = {},
): Promise<TestApi> {
  const config = readConfig({
    LOG_LEVEL: 'silent',
    ...testEnvironment(databaseUrl ?? (await cloneDatabase())),
    ...overrides,
  });
  const log = pino({ level: config.LOG_LEVEL });
  const { app, deps, close } = await assembleService({ config, log, clock, hasSchedule });
  const owner = connectDatabase({
    url: ownerDatabaseUrl(config),
    maxConnections: config.DATABASE_POOL_MAX,
    statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
  });
  // Tests call it in the same process: while that is busy, the API could close a connection just as a call takes it.
  app.server.keepAliveTimeout = 60_000;
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    app,
    config,
    db: owner.db,
    ownerUrl: ownerDatabaseUrl(config),
    deps,
    clock,
    async close() {
      await close();
      await owner.close(2);
    },
  };
}

/** Creates a migrated database. */
export async function cloneDatabase(): Promise<string> {
  const { postgresUrl, templateDatabase } = inject('services');
  const name = newDatabaseName();
  await createDatabase(postgresUrl, { name, template: templateDatabase });
  return withDatabase(postgresUrl, name);
}

/**
 * Returns the variables of an API under test.
 *
 * @param databaseUrl - of the tables' owner; the API connects as a role that owns nothing
 */
export function testEnvironment(databaseUrl: string): Record<string, string> {
  const { s3, mail, identity } = inject('services');
  return {
    APP_URL: 'https://app.example.com',
    BASE_URL: testBaseUrl,
    DATABASE_URL: asService(databaseUrl),
    DATABASE_MIGRATION_URL: databaseUrl,
    DATABASE_POOL_MAX: '8',
    DATABASE_ROW_LEVEL_SECURITY: process.env['TEST_ROW_LEVEL_SECURITY'] ?? 'false',
    // Tests of races are about locks: only as many requests as there are connections reach one.
    DATABASE_POOL_SHARE: '8',
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY: s3.accessKey,
    S3_SECRET_KEY: s3.secretKey,
    // One bucket per database: a database refers to everything in its bucket.
    S3_BUCKET: databaseOf(databaseUrl).replaceAll('_', '-'),
    SMTP_URL: mail.smtpUrl,
    OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    OUTBOUND_ALLOW_HTTP: 'true',
    OAUTH_GOOGLE_CLIENT_ID: identity.google.clientId,
    OAUTH_GOOGLE_CLIENT_SECRET: identity.google.clientSecret,
    OAUTH_GOOGLE_AUTHORIZATION_ENDPOINT: identity.google.authorizationEndpoint,
    OAUTH_GOOGLE_TOKEN_ENDPOINT: identity.google.tokenEndpoint,
    OAUTH_GOOGLE_JWKS_URI: identity.google.jwksUri,
    OAUTH_GOOGLE_ISSUER: identity.google.issuer,
    OAUTH_GITHUB_CLIENT_ID: identity.github.clientId,
    OAUTH_GITHUB_CLIENT_SECRET: identity.github.clientSecret,
    OAUTH_GITHUB_AUTHORIZATION_ENDPOINT: identity.github.authorizationEndpoint,
    OAUTH_GITHUB_TOKEN_ENDPOINT: identity.github.tokenEndpoint,
    OAUTH_GITHUB_USER_ENDPOINT: identity.github.userEndpoint,
    OAUTH_GITHUB_EMAILS_ENDPOINT: identity.github.emailsEndpoint,
    JWT_SECRET: 'a secret of the tests, long enough',
    TOKEN_ENVELOPE_KEY: '0123456789abcdef'.repeat(4),
    // All tests have the same address; the tests of the limits enable them.
    RATE_LIMIT_ENABLED: 'false',
    // Tests share the machine.
    SEARCH_TIMEOUT_MS: '10000',
  };
}

export interface CallOptions {
  readonly params?: Record<string, string | number>;
  readonly query?: Record<string, string | number | boolean>;
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly organizationId?: string;
  readonly headers?: Record<string, string>;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  // The test asserts the body.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly text: string;
}

/** An API in this process or another. */
export type Reachable = Pick<TestApi, 'url'>;

/** Requests an operation of the contract by its id, like a client over HTTP. */
export async function call(
  api: Reachable,
  id: OperationId,
  options: CallOptions = {},
): Promise<TestResponse> {
  const operation = operations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`The contract has no operation ${id}`);
  const { method, path } = operation.endpoint;
  const address = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(options.params?.[name])),
  );
  const query = new URLSearchParams(
    Object.entries(options.query ?? {}).map(([name, value]) => [name, String(value)]),
  );
  const response = await send(api, query.size > 0 ? `${address}?${query.toString()}` : address, {
    method,
    redirect: 'manual',
    headers: {
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
      ...(options.organizationId !== undefined && { 'x-organization-id': options.organizationId }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  });
  recordStatus(id, response.status);
  return response;
}

/** Sends any request, including those outside of the contract. */
export async function send(
  api: Reachable,
  path: string,
  init: RequestInit = {},
): Promise<TestResponse> {
  const response = await fetch(`${api.url}${path}`, init);
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  // A stream has no end to wait for.
  if (isStream) await response.body?.cancel();
  const text = isStream ? '' : await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : null,
    text,
  };
}

/** Returns an email that no other test uses. */
export function someEmail(name = 'someone'): string {
  return `${name}-${randomBytes(6).toString('hex')}@example.com`;
}
