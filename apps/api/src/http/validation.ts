import type { ValidationIssue } from '@atelier/contract';
import type { RequestValidationError } from '@ts-rest/fastify';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../kernel/errors.ts';

interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: string;
}

/** Maximum number of issues in one response; a hostile body could have thousands. */
const maxIssues = 50;

/** Reports every contract violation of a request as one `validation_failed` (400). */
export function validationFailure(error: RequestValidationError, request: FastifyRequest): Failure {
  const sources = [
    ['path', error.pathParams, request.params],
    ['headers', error.headers, request.headers],
    ['query', error.query, request.query],
    ['body', error.body, request.body],
  ] as const;
  const errors = sources.flatMap(([where, found, input]) =>
    (found?.issues ?? []).map((issue) => describe(where, issue, input)),
  );
  return new Failure('validation_failed', { errors: errors.slice(0, maxIssues) });
}

function describe(
  where: ValidationIssue['in'],
  issue: SchemaIssue,
  input: unknown,
): ValidationIssue {
  const path = (issue.path ?? []).map((step) => {
    const key = typeof step === 'object' ? step.key : step;
    return typeof key === 'number' ? key : String(key);
  });
  const isMissing = issue.code === 'invalid_type' && valueAt(input, path) === undefined;
  return {
    in: where,
    path,
    code: isMissing ? 'required' : (issue.code ?? 'invalid'),
    message: isMissing ? issue.message.replace(/^Invalid input/, 'Required') : issue.message,
  };
}

function valueAt(input: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string | number, unknown>)[key]
        : undefined,
    input,
  );
}
