import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import type { ChangeListener } from './db/announcements.ts';
import type { Database } from './db/client.ts';
import type { Replica } from './db/replica.ts';
import type { CursorCodec } from './kernel/pagination.ts';
import type { PasswordHasher } from './kernel/passwords.ts';
import type { TokenCodec } from './kernel/tokens.ts';
import type { Clock } from './ports/clock.ts';
import type { IdentityProviders } from './ports/identity-provider.ts';
import type { ObjectStore } from './ports/object-store.ts';
import type { Pictures } from './ports/pictures.ts';
import type { RateLimiter } from './ports/rate-limiter.ts';

/** Everything a room may use. Built once in `main.ts` and passed to `buildApp`. */
export interface Deps {
  readonly config: Config;
  readonly clock: Clock;
  readonly db: Database;
  /** For reads, by `spreadReads`; null without one. */
  readonly replica: Replica | null;
  /** Hears what any process commits. Resolves once it does. */
  readonly listenToChanges: (listener: ChangeListener) => Promise<void>;
  readonly store: ObjectStore;
  readonly identityProviders: IdentityProviders;
  readonly pictures: Pictures;
  readonly tokens: TokenCodec;
  readonly passwords: PasswordHasher;
  readonly cursors: CursorCodec;
  readonly rateLimiter: RateLimiter;
  readonly log: FastifyBaseLogger;
}
