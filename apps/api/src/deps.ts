import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import type { ChangeListener } from './db/announcements.ts';
import type { Database } from './db/executor.ts';
import type { DatabaseProbe } from './db/probe.ts';
import type { Replica } from './db/replica.ts';
import type { Scopes } from './db/scopes.ts';
import type { Keys } from './kernel/keys.ts';
import type { CursorCodec } from './kernel/pagination.ts';
import type { PasswordHasher } from './kernel/passwords.ts';
import type { TokenCodec } from './kernel/tokens.ts';
import type { BreachedPasswords } from './ports/breached-passwords.ts';
import type { Clock } from './ports/clock.ts';
import type { IdentityProviders } from './ports/identity-provider.ts';
import type { ObjectStore } from './ports/object-store.ts';
import type { OutboundHttp } from './ports/outbound-http.ts';
import type { Pictures } from './ports/pictures.ts';
import type { RateLimiter } from './ports/rate-limiter.ts';
import type { PoolLoad, Telemetry } from './ports/telemetry.ts';

/** The dependencies of features. Built once in `main.ts` and passed to `buildApp`. */
export interface Deps {
  readonly config: Config;
  readonly clock: Clock;
  readonly db: Database;
  /** The same for short statements, see `DatabaseConnection`. */
  readonly quickDb: Database;
  /** The same for reads of many tables that one plan fits for any values, see `DatabaseConnection`. */
  readonly genericPlanDb: Database;
  /** Tells whether rows of organizations may be on several servers. */
  readonly isDistributed: () => Promise<boolean>;
  readonly databaseProbe: DatabaseProbe;
  /** For reads through `replicaReads`; null without a replica. */
  readonly replica: Replica | null;
  /** Null without row-level security. */
  readonly scopes: Scopes | null;
  /** Listens for the commits of every process. Resolves once it is connected. */
  readonly listenToChanges: (listener: ChangeListener) => Promise<void>;
  readonly store: ObjectStore;
  /** Requests addresses that people enter. */
  readonly outbound: OutboundHttp;
  readonly identityProviders: IdentityProviders;
  readonly pictures: Pictures;
  readonly tokens: TokenCodec;
  readonly passwords: PasswordHasher;
  readonly breachedPasswords: BreachedPasswords;
  readonly cursors: CursorCodec;
  /** Cursors of live-stream messages, like those of lists. */
  readonly eventPositions: CursorCodec;
  readonly keys: Keys;
  readonly rateLimiter: RateLimiter;
  readonly log: FastifyBaseLogger;
  /** Returns the current load of the database pool. */
  readonly databaseLoad: () => PoolLoad;
  /** Aborted when this process starts to stop. */
  readonly stopping: AbortSignal;
  /** Null if neither traces nor metrics are configured. */
  readonly telemetry: Telemetry | null;
}
