import type { z } from 'zod/v4';
import type { Access } from './access.ts';
import type { ActivityAction } from './activity.ts';
import type { Deprecation } from './deprecation.ts';
import type { Success } from './envelope.ts';
import type { ErrorCode } from './errors.ts';
import type { ListSpec } from './lists.ts';
import type { Effect, KeyUse } from './scopes.ts';
import type { Targets } from './targets.ts';

/** Counters that limit the rate of requests. */
export type RateLimit =
  | 'login'
  | 'passkey-login'
  | 'register'
  | 'password-reset'
  | 'refresh'
  | 'confirm'
  | 'email-change'
  | 'leaked-key'
  | 'invite'
  | 'search'
  | 'suggest'
  | 'search-rebuild'
  | 'share'
  | 'share-comment'
  | 'default'
  | 'none';

/**
 * When an operation needs a session whose account was confirmed within the last 10 minutes: always, for giving or taking
 * the role of an owner, or for administrators of the platform outside of the teams that they lead.
 */
export type ConfirmationNeed = true | 'for-ownership' | 'as-platform-administrator';

/** The declaration of an operation; `endpoint` derives the rest. */
export interface EndpointSpec {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  /** One line, for the documentation. */
  readonly summary: string;
  /** More than the summary says. */
  readonly description?: string;
  readonly access: Access;
  /** Which API keys may use it; for member access those whose scopes have the permission. */
  readonly keys?: KeyUse;
  /** What it does; a GET reads. */
  readonly effect?: Effect;
  /** A field of the body with which it shows data to outsiders, beside its `effect`. */
  readonly disclosesWith?: string;
  /** When it needs a recently confirmed session. */
  readonly confirmation?: ConfirmationNeed;
  readonly pathParams?: z.ZodObject;
  readonly query?: z.ZodType;
  /**
   * What filters and orders mean for the items of a list. `ranked`: no field of the items tells which there are, nor their
   * order.
   */
  readonly list?: ListSpec | 'ranked';
  readonly body?: z.ZodType;
  /** What each id in path, query and body identifies, and the permission that the operation needs on it. */
  readonly targets?: Targets;
  readonly success: Success;
  /** Its own error codes; those that follow from access, body and headers are added. */
  readonly errors?: readonly ErrorCode[];
  /** The activity that a success records. */
  readonly activity?: ActivityAction | readonly ActivityAction[];
  /** Takes an `Idempotency-Key`. */
  readonly idempotent?: true;
  /**
   * Takes an `Idempotency-Key` that can't be guessed. Its response has secrets: the operation itself decides how long
   * a repetition gets it.
   */
  readonly secretKey?: true;
  /**
   * Its response has `expiresAt` or `expiresIn`. An `Idempotency-Key` replays the response only until then.
   */
  readonly responseExpires?: true;
  /** Its response has a secret that no other has. An `Idempotency-Key`, if it takes one, replays it for an hour. */
  readonly secretResponse?: true;
  /** Responds with an `ETag`, and with 304 if `If-None-Match` has the same one. */
  readonly etag?: true;
  /** Takes an `If-Match`. */
  readonly ifMatch?: true;
  readonly rateLimit?: RateLimit;
  readonly bodyLimitBytes?: number;
  /** Treats a body that can't be parsed as absent, so that logout never fails because of its input. */
  readonly toleratesAnyBody?: true;
  /** No tool for assistants, although its group has a toolset. */
  readonly tool?: false;
  /** The service has it beyond its specification. */
  readonly isAddition?: true;
  /** Still works; every response announces the removal. */
  readonly deprecated?: Deprecation;
}
