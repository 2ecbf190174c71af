import type { FastifyBaseLogger } from 'fastify';
import { createBreachedPasswords, noBreachedPasswords } from './adapters/breached-passwords.ts';
import { createIdentityProviders } from './adapters/oauth/providers.ts';
import { createResolver } from './adapters/outbound/names.ts';
import { createOutboundHttp } from './adapters/outbound/outbound.ts';
import { createRateLimiter } from './adapters/rate-limits/limiter.ts';
import { createS3ObjectStore } from './adapters/s3.ts';
import { createSharpPictures } from './adapters/sharp.ts';
import { systemClock } from './adapters/system-clock.ts';
import { originsOf, type Config } from './config.ts';
import { ownerDatabaseUrl } from './db/addresses.ts';
import { connectDatabase } from './db/client.ts';
import type { Database } from './db/executor.ts';
import type { ServiceRole } from './db/grants.ts';
import { migrateDatabase } from './db/migrate.ts';
import { assertPolicies } from './db/policies.ts';
import { postgresCounters } from './adapters/rate-limits/postgres.ts';
import { createProbe } from './db/probe.ts';
import { createReplica, type Replica } from './db/replica.ts';
import { createScopes, everywhere } from './db/scopes.ts';
import type { Deps } from './deps.ts';
import { readLags } from './jobs/follow/queries.ts';
import { readQueue } from './jobs/queue-figures/queries.ts';
import { createKeys } from './kernel/keys.ts';
import { createBulkhead, setBulkhead } from './domain/bulkhead.ts';
import { createCursorCodec } from './kernel/pagination.ts';
import { createPasswordHasher } from './kernel/passwords.ts';
import { createTokenCodec } from './kernel/tokens.ts';
import type { Clock } from './ports/clock.ts';
import type { ObjectStore } from './ports/object-store.ts';
import type { Telemetry } from './ports/telemetry.ts';

/** Migrates the database, and creates the service's role if it isn't the owner. */
export async function migrate(config: Config): Promise<void> {
  const { DATABASE_ROW_LEVEL_SECURITY: hasPolicies } = config;
  await migrateDatabase(ownerDatabaseUrl(config), serviceRoleOf(config), hasPolicies);
}

/**
 * Checks that row-level security matches the configuration. Call it only when the database is up to date.
 *
 * @throws Error if row-level security is on and should not be, or the reverse
 */
export async function checkPolicies({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<void> {
  await assertPolicies(db, config.DATABASE_ROW_LEVEL_SECURITY);
}

function serviceRoleOf(config: Config): ServiceRole | null {
  if (config.DATABASE_MIGRATION_URL === undefined) return null;
  const { username, password } = new URL(config.DATABASE_URL);
  if (username === '' || username === new URL(config.DATABASE_MIGRATION_URL).username) return null;
  return {
    name: decodeURIComponent(username),
    password: password === '' ? null : decodeURIComponent(password),
  };
}

function objectStoreOf(config: Config): ObjectStore {
  return createS3ObjectStore({
    endpoint: config.S3_ENDPOINT,
    publicEndpoint: config.S3_PUBLIC_ENDPOINT ?? config.S3_ENDPOINT,
    region: config.S3_REGION,
    bucket: config.S3_BUCKET,
    accessKey: config.S3_ACCESS_KEY,
    secretKey: config.S3_SECRET_KEY,
    timeoutMs: config.S3_TIMEOUT_MS,
  });
}

/** Maximum queue length: requests beyond it wait longer than their clients do. */
const changesInTurn = { maxWaiting: 1_000, maxWaitMs: 10_000 };

/** Builds the dependencies of features, and a function that releases them. */
export async function createDeps({
  config,
  log,
  telemetry,
  clock = systemClock,
  stopping = new AbortController().signal,
}: {
  config: Config;
  log: FastifyBaseLogger;
  telemetry: Telemetry | null;
  clock?: Clock;
  /** Aborted when the process starts to stop; by default never. */
  stopping?: AbortSignal;
}): Promise<{ deps: Deps; close(): Promise<void> }> {
  const scopes = config.DATABASE_ROW_LEVEL_SECURITY ? createScopes() : null;
  const settings = {
    url: config.DATABASE_URL,
    prepare: config.DATABASE_PREPARE,
    statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: config.DATABASE_LOCK_TIMEOUT_MS,
  };
  const database = connectDatabase({
    ...settings,
    directUrl: config.DATABASE_DIRECT_URL,
    maxConnections: config.DATABASE_POOL_MAX,
    observeStatement: telemetry?.observeStatement,
    scopes,
  });
  const databaseProbe = createProbe(() => connectDatabase({ ...settings, maxConnections: 1 }));
  telemetry?.watchPool(database.load);
  const bulkhead = createBulkhead({
    share: config.DATABASE_POOL_SHARE ?? Math.max(1, Math.floor(config.DATABASE_POOL_MAX * 0.8)),
    ...changesInTurn,
  });
  setBulkhead(database.db, bulkhead);
  telemetry?.watchBulkhead(bulkhead.load);
  telemetry?.watchQueue(() => readQueue(database.db));
  telemetry?.watchLog(() => everywhere(scopes, () => readLags(database.db)));
  const store = objectStoreOf(config);
  const keys = createKeys(config);
  const { rateLimiter, close: closeRateLimiter } = await createRateLimiter(
    { config, clock, log, secret: keys.rateLimitSubjects.current.key },
    postgresCounters(database.client),
  );
  const replica = replicaOf({ config, clock, log, scopes }, database.db);
  const deps: Deps = {
    config,
    clock,
    log,
    db: database.db,
    quickDb: database.quickDb,
    genericPlanDb: database.genericPlanDb,
    isDistributed: database.isDistributed,
    databaseProbe,
    replica,
    scopes,
    listenToChanges: (listener) => database.listen(listener),
    databaseLoad: database.load,
    stopping,
    telemetry,
    store: telemetry?.observeStore(store) ?? store,
    outbound: createOutboundHttp(config, { clock, resolve: createResolver() }),
    identityProviders: createIdentityProviders(config, clock),
    pictures: createSharpPictures(),
    tokens: createTokenCodec(keys),
    passwords: createPasswordHasher(config.PASSWORD_HASH_CONCURRENCY),
    breachedPasswords:
      config.BREACHED_PASSWORDS_URL === undefined
        ? noBreachedPasswords
        : createBreachedPasswords(config.BREACHED_PASSWORDS_URL, log),
    cursors: createCursorCodec(keys.cursors),
    eventPositions: createCursorCodec(keys.eventPositions),
    keys,
    rateLimiter,
  };
  return {
    deps,
    async close() {
      closeRateLimiter();
      await Promise.all([
        database.close(2),
        databaseProbe.close(2),
        replica?.close(2),
        deps.passwords.close(),
      ]);
    },
  };
}

function replicaOf(
  { config, clock, log, scopes }: Pick<Deps, 'config' | 'clock' | 'log' | 'scopes'>,
  primary: Database,
): Replica | null {
  const { DATABASE_REPLICA_URL: url } = config;
  if (url === undefined) return null;
  const connect = () =>
    connectDatabase({
      url,
      isPrimary: false,
      prepare: config.DATABASE_PREPARE,
      maxConnections: config.DATABASE_POOL_MAX,
      statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
      scopes,
    });
  return createReplica({ primary, connect, clock, log });
}

/**
 * Prepares the bucket for uploads.
 *
 * @throws StorageSetupError whose message names in one line the variable to change
 */
export async function setUpStorage({ store, config, log }: Deps): Promise<void> {
  const warnings = await store.setUp(originsOf(config));
  for (const warning of warnings) log.warn(warning);
}
