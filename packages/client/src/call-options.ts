/** Options of every operation. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds for each attempt; 0 = no limit. */
  timeoutMs?: number | undefined;
  /** Maximum number of retries of a call that is safe to retry. */
  maxRetries?: number | undefined;
  /** Organization of this call; null = the personal one. */
  organizationId?: string | null | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of an operation that takes an `Idempotency-Key`. */
export interface IdempotentOptions extends CallOptions {
  /** Under the same key, the change happens once; default: a random one for each call. */
  idempotencyKey?: string | undefined;
}

/** Options of an operation that takes an `If-Match`. */
export interface ConditionalOptions extends CallOptions {
  /** Makes the change only if the resource still has this ETag. */
  ifMatch?: string | undefined;
}
