import type { ValidationIssue } from './generated/types.ts';

interface ApiErrorInit<Status, Code> {
  readonly status: Status;
  readonly code: Code;
  readonly message: string;
  readonly requestId: string | null;
  readonly operation: string;
  readonly issues: readonly ValidationIssue[];
  readonly headers: Headers;
}

/** The service responded with an error. */
export class ApiError<Status extends number = number, Code extends string = string> extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. */
  declare readonly status: Status;
  /** Stable name of the error; `unknown` for a response of another server. */
  declare readonly code: Code;
  /** Identifies the request in the logs of the service. */
  declare readonly requestId: string | null;
  /** The operation as `group.name`. */
  declare readonly operation: string;
  /** Every invalid value. */
  declare readonly issues: readonly ValidationIssue[];
  declare readonly headers: Headers;

  constructor({ message, ...fields }: ApiErrorInit<Status, Code>) {
    super(message);
    Object.assign(this, fields);
  }
}

/** The service gave no response to this call: the connection failed, it took too long, or the session had expired. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /**
   * `network`: no connection, or it broke; `timeout`: no response in time; `session_expired`: the tokens are
   * missing or rejected, the user must sign in.
   */
  declare readonly kind: 'network' | 'timeout' | 'session_expired';
  /** Number of attempts. */
  declare readonly attempts: number;
  /** Always undefined, which discriminates it from an {@link ApiError}. */
  readonly code = undefined;

  constructor(kind: TransportError['kind'], attempts: number, options?: ErrorOptions) {
    super(
      { network: 'Network error', timeout: 'Timed out', session_expired: 'Session expired' }[kind],
      options,
    );
    this.kind = kind;
    this.attempts = attempts;
  }
}
