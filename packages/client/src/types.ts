import type { ApiError, TransportError } from './errors.ts';
import type { ErrorStatuses, GeneralError, Operations } from './generated/types.ts';
import type { Lock } from './lock.ts';
import type { TokenStore } from './token-stores.ts';

/** Name of an operation as `group.name`, such as `tasks.update`. */
export type OperationId = keyof Operations;

/** The arguments of an operation: `params` of the path, `query` and `body`, if it has them. */
export type Args<K extends OperationId> = Pick<
  Operations[K],
  Extract<keyof Operations[K], 'params' | 'query' | 'body'>
>;

/** The data of a success, without the envelope. */
export type Data<K extends OperationId> = Operations[K]['data'];

/** One item of the pages of a list. */
export type Item<K extends OperationId> = Data<K> extends { items: (infer One)[] } ? One : never;

type CodeOf<K extends OperationId> = Operations[K]['errors'] | GeneralError;

/**
 * Every error of an operation, discriminated by `code`; `unknown` is a response of another server, such as
 * a proxy's error page.
 */
export type ErrorOf<K extends OperationId> =
  | { [C in CodeOf<K>]: ApiError<ErrorStatuses[C], C> }[CodeOf<K>]
  | ApiError<number, 'unknown'>
  | TransportError;

/** The metadata of a success. */
export interface Meta {
  status: number;
  /** Message of the envelope, for people. */
  message: string | null;
  requestId: string | null;
  /** ETag of a single resource, for `ifMatch`. */
  etag: string | null;
  headers: Headers;
}

/** A success with its metadata. */
export type WithMeta<K extends OperationId> = { data: Data<K> } & Meta;

/** The outcome of a call, discriminated by `ok`. */
export type Result<K extends OperationId> =
  | ({ ok: true } & WithMeta<K>)
  | { ok: false; error: ErrorOf<K> };

/**
 * A call in progress. As a promise it resolves to the data, or rejects with {@link ErrorOf} its operation. A call
 * that its signal aborts always rejects with the signal's reason.
 */
export interface Call<K extends OperationId> extends Promise<Data<K>> {
  /** Returns errors of the service and of the connection instead of throwing them. */
  result(): Promise<Result<K>>;
  withMeta(): Promise<WithMeta<K>>;
  /** Returns the last response, of any status, with its body unread. Call it synchronously. */
  raw(): Promise<Response>;
}

/** The options of an operation. */
export type OptionsOf<K extends OperationId> = Operations[K]['options'];

/** Names of the required arguments of an operation. */
type Needed<K extends OperationId> = {
  [Part in keyof Args<K>]-?: undefined extends Args<K>[Part] ? never : Part;
}[keyof Args<K>];

type Parameters<K extends OperationId> = [Needed<K>] extends [never]
  ? [args?: Args<K> | undefined, options?: OptionsOf<K> | undefined]
  : [args: Args<K>, options?: OptionsOf<K> | undefined];

/** Calls an operation. */
export type Operation<K extends OperationId> = (...parameters: Parameters<K>) => Call<K>;

/** Calls a list operation: one page, or all pages from one on. */
export interface ListOperation<K extends OperationId> extends Operation<K> {
  /** Iterates over every item; fetches the next page when it is needed. */
  iterate(...parameters: Parameters<K>): AsyncGenerator<Item<K>, void, undefined>;
  /** Iterates over every page. */
  pages(...parameters: Parameters<K>): AsyncGenerator<Data<K>, void, undefined>;
}

/** An operation that responds with a stream; `subscribe` of `@atelier/client/events` reads it. */
export type Streaming<K extends OperationId> = (
  ...parameters: Parameters<K>
) => Pick<Call<K>, 'raw'>;

/** An operation that a browser navigates to. */
export interface Navigation<K extends OperationId> {
  /** Returns the URL to navigate to. */
  url(...parameters: Parameters<K>): string;
}

/** One attempt of a request. Middleware may change `url`, `headers` and `init` before it calls `next`. */
export interface Attempt {
  readonly operation: OperationId;
  /** Counts from 1. */
  readonly number: number;
  url: string;
  readonly headers: Headers;
  init: RequestInit;
}

/** Wraps every attempt, also that of a refresh. Calls `next` once and returns a response. */
export type Middleware = (attempt: Attempt, next: () => Promise<Response>) => Promise<Response>;

export interface ClientOptions {
  /** Base URL of the service, such as `https://api.example.com`. */
  baseUrl: string;
  /**
   * An API key, sent instead of the tokens of a session: the client then neither stores nor refreshes any. Keep it out of
   * apps that others can read.
   */
  apiKey?: string | undefined;
  /** Stores the tokens; default: in memory. */
  tokens?: TokenStore | undefined;
  /** Serializes refreshes wherever the same tokens are used; default: the lock of the store. */
  lock?: Lock | undefined;
  /** Organization of every call; default: that of the store, else the personal one. */
  organizationId?: string | (() => string | null) | undefined;
  /** Used instead of the global one. */
  fetch?: typeof fetch | undefined;
  /** Milliseconds for each attempt; default 30,000; 0 = no limit. */
  timeoutMs?: number | undefined;
  /** Maximum number of retries of a call that is safe to retry; default 2. */
  maxRetries?: number | undefined;
  /** The first middleware is the outermost. */
  middleware?: readonly Middleware[] | undefined;
  /** Called when the service rejects the refresh token: the tokens are cleared, the user must sign in. */
  onSessionExpired?: (() => void) | undefined;
  /** Is told of each attempt that is repeated. */
  logger?: Pick<Console, 'debug'> | undefined;
}
