import { errorCatalogue, type ErrorCode, type ValidationIssue } from '@atelier/contract';

interface Details {
  /** Default: the one of the contract. */
  readonly message?: string;
  readonly errors?: readonly ValidationIssue[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error of the contract. */
export class MockFailure extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: readonly ValidationIssue[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, { message, errors, headers = {} }: Details = {}) {
    super(message ?? errorCatalogue[code].message);
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.errors = errors;
    const challenge = this.status === 401 ? { 'www-authenticate': 'Bearer' } : {};
    this.headers = { ...challenge, ...commonHeaders[code], ...headers };
  }
}

const commonHeaders: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  rate_limited: { 'retry-after': '1' },
  service_unavailable: { 'retry-after': '1' },
  storage_unavailable: { 'retry-after': '1' },
};

/** Creates a `validation_failed` about a field of the body. */
export function invalidField(
  path: ValidationIssue['path'],
  code: string,
  message: string,
): MockFailure {
  return new MockFailure('validation_failed', { errors: [{ in: 'body', path, code, message }] });
}

/** Creates a `validation_failed` about a single value. */
export function invalid(where: ValidationIssue['in'], name: string, message: string): MockFailure {
  return new MockFailure('validation_failed', {
    errors: [{ in: where, path: [name], code: 'custom', message }],
  });
}
