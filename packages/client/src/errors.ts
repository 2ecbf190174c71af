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

/** The service answered with an error. */
export class ApiError<Status extends number = number, Code extends string = string> extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. */
  declare readonly status: Status;
  /** Stable name of the error; `unknown` when the answer is not the service's. */
  declare readonly code: Code;
  /** Finds the request in the service's logs. */
  declare readonly requestId: string | null;
  /** The operation as `group.name`. */
  declare readonly operation: string;
  /** Every value that is not valid. */
  declare readonly issues: readonly ValidationIssue[];
  declare readonly headers: Headers;

  constructor({ message, ...fields }: ApiErrorInit<Status, Code>) {
    super(message);
    Object.assign(this, fields);
  }
}

/** The service gave no answer. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /**
   * `network`: no connection, or it broke; `timeout`: no answer in time; `session_expired`: the
   * tokens are gone or worth nothing, somebody has to log in.
   */
  declare readonly kind: 'network' | 'timeout' | 'session_expired';
  /** How often it was tried. */
  declare readonly attempts: number;
  /** None of the service's codes: tells this error apart from an {@link ApiError}. */
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
