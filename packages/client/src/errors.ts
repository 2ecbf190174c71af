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
  readonly status: Status;
  /** Stable name of the error; `unknown` when the answer is not the service's. */
  readonly code: Code;
  /** Finds the request in the service's logs. */
  readonly requestId: string | null;
  /** The operation as `group.name`. */
  readonly operation: string;
  /** Every value that is not valid. */
  readonly issues: readonly ValidationIssue[];
  readonly headers: Headers;

  constructor(init: ApiErrorInit<Status, Code>) {
    super(init.message);
    this.status = init.status;
    this.code = init.code;
    this.requestId = init.requestId;
    this.operation = init.operation;
    this.issues = init.issues;
    this.headers = init.headers;
  }
}

/** The service gave no answer. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /**
   * `network`: no connection, or it broke; `timeout`: no answer in time; `session_expired`: the
   * tokens are gone or worth nothing, somebody has to log in.
   */
  readonly kind: 'network' | 'timeout' | 'session_expired';
  /** How often it was tried. */
  readonly attempts: number;
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
