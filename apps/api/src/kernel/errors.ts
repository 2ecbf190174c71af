import { errorCatalogue, type ErrorCode, type ValidationIssue } from '@atelier/contract';

interface FailureDetails {
  /** Overrides the catalogue's text. */
  readonly message?: string;
  /** The invalid values, on validation errors. */
  readonly errors?: readonly ValidationIssue[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The cause; logged, never sent. */
  readonly cause?: unknown;
}

/** An expected refusal: a code of the contract's catalogue. Anything else that is thrown is a defect. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: readonly ValidationIssue[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, details: FailureDetails = {}) {
    super(details.message ?? errorCatalogue[code].message, { cause: details.cause });
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.errors = details.errors;
    this.headers = details.headers ?? {};
  }
}

/** Builds an error for a body field that passes the contract but not a rule that only the service can check. */
export function invalidField(
  path: ValidationIssue['path'],
  code: string,
  message: string,
): Failure {
  return new Failure('validation_failed', { errors: [{ in: 'body', path, code, message }] });
}
