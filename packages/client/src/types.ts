import type { ApiError, TransportError } from './errors.ts';
import type { ErrorStatuses, GeneralError, Operations } from './generated/types.ts';
import type { Lock } from './lock.ts';
import type { TokenStore } from './token-stores.ts';

/** Name of an operation as `group.name`, such as `tasks.update`. */
export type OperationId = keyof Operations;

/** What an operation takes: `params` of the path, `query` and `body`, as far as it has them. */
export type Args<K extends OperationId> = Pick<
  Operations[K],
  Extract<keyof Operations[K], 'params' | 'query' | 'body'>
>;

/** What an operation answers with, without the envelope. */
export type Data<K extends OperationId> = Operations[K]['data'];

/** One item of the pages of a list. */
export type Item<K extends OperationId> = Data<K> extends { items: (infer One)[] } ? One : never;

type CodeOf<K extends OperationId> = Operations[K]['errors'] | GeneralError;

/**
 * Every error an operation can end with. `code` tells them apart; `unknown` is an answer that is not
 * the service's, such as a proxy's page.
 */
export type ErrorOf<K extends OperationId> =
  | { [C in CodeOf<K>]: ApiError<ErrorStatuses[C], C> }[CodeOf<K>]
  | ApiError<number, 'unknown'>
  | TransportError;

/** What comes beside the data. */
export interface Meta {
  status: number;
  /** Text of the envelope, for people. */
  message: string | null;
  requestId: string | null;
  /** State of a single resource, for `ifMatch`. */
  etag: string | null;
  headers: Headers;
}

/** A success with its surroundings. */
export type WithMeta<K extends OperationId> = { data: Data<K> } & Meta;

/** How a call ended, to be told apart by `ok`. */
export type Result<K extends OperationId> =
  | ({ ok: true } & WithMeta<K>)
  | { ok: false; error: ErrorOf<K> };

/**
 * A call that is under way. As a promise it gives the data, or throws {@link ErrorOf} its operation.
 * A call that its signal ends throws the signal's reason, always.
 */
export interface Call<K extends OperationId> extends Promise<Data<K>> {
  /** Never throws an error of the service or of the way to it. */
  result(): Promise<Result<K>>;
  withMeta(): Promise<WithMeta<K>>;
  /** The last answer, whatever its status, with its body unread. To be asked for at once. */
  raw(): Promise<Response>;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds for each attempt; 0 is no limit. */
  timeoutMs?: number | undefined;
  /** How often a call that may be repeated is repeated. */
  maxRetries?: number | undefined;
  /** Key of an operation that takes one; default: a random one for each call. */
  idempotencyKey?: string | undefined;
  /** Carries the change out only if the resource still has this ETag. */
  ifMatch?: string | undefined;
  /** Organization for this call; null: the personal one. */
  organizationId?: string | null | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Names of the parts that an operation can't do without. */
type Needed<K extends OperationId> = {
  [Part in keyof Args<K>]-?: undefined extends Args<K>[Part] ? never : Part;
}[keyof Args<K>];

type Parameters<K extends OperationId> = [Needed<K>] extends [never]
  ? [args?: Args<K> | undefined, options?: CallOptions | undefined]
  : [args: Args<K>, options?: CallOptions | undefined];

/** Calls an operation. */
export type Operation<K extends OperationId> = (...parameters: Parameters<K>) => Call<K>;

/** Calls a list: one page, or all that follow from one. */
export interface ListOperation<K extends OperationId> extends Operation<K> {
  /** Every item, page after page; the next page is fetched when it is needed. */
  iterate(...parameters: Parameters<K>): AsyncGenerator<Item<K>, void, undefined>;
  /** Every page. */
  pages(...parameters: Parameters<K>): AsyncGenerator<Data<K>, void, undefined>;
}

/** An operation whose answer goes on and on; `subscribe` of `@atelier/client/events` reads it. */
export type Streaming<K extends OperationId> = (
  ...parameters: Parameters<K>
) => Pick<Call<K>, 'raw'>;

/** An operation that a browser navigates to. */
export interface Navigation<K extends OperationId> {
  /** The address to navigate to. */
  url(...parameters: Parameters<K>): string;
}

/** One attempt on its way. Middleware may change `url`, `headers` and `init` before it goes on. */
export interface Attempt {
  readonly operation: OperationId;
  /** Counts from 1. */
  readonly number: number;
  url: string;
  readonly headers: Headers;
  init: RequestInit;
}

/** Surrounds every attempt, also that of a refresh. Call `next` once and hand its answer back. */
export type Middleware = (attempt: Attempt, next: () => Promise<Response>) => Promise<Response>;

export interface ClientOptions {
  /** Address of the service without a path, such as `https://api.example.com`. */
  baseUrl: string;
  /** Where the tokens are kept; default: in memory. */
  tokens?: TokenStore | undefined;
  /** Keeps refreshes apart wherever the same tokens are used; default: the one of the store. */
  lock?: Lock | undefined;
  /** Organization of every call; default: the one of the store, else the personal one. */
  organizationId?: string | (() => string | null) | undefined;
  fetch?: typeof fetch | undefined;
  /** Milliseconds for each attempt; default 30,000; 0 is no limit. */
  timeoutMs?: number | undefined;
  /** How often a call that may be repeated is repeated; default 2. */
  maxRetries?: number | undefined;
  /** The first one is the outermost. */
  middleware?: readonly Middleware[] | undefined;
  /** The service refused to refresh: the tokens are gone, somebody has to log in. */
  onSessionExpired?: (() => void) | undefined;
  logger?: Pick<Console, 'debug' | 'warn'> | undefined;
}
