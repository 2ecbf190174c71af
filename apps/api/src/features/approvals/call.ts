import { createHash } from 'node:crypto';
import {
  maxApprovedArgumentsBytes,
  operationById,
  type Endpoint,
  type Permission,
  type RequestApprovalBody,
  type ResourceType,
  type Target,
  type ToolDeclaration,
  type ValidationIssue,
} from '@atelier/contract';
import type { z } from 'zod';
import {
  ArgumentsError,
  effectOfCall,
  requestOf,
  type ApiRequest,
} from '../../domain/tools/arguments.ts';
import { Failure, invalidField } from '../../kernel/errors.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** A call that a person decides on, valid by the contract. */
export interface CheckedCall {
  readonly tool: ToolDeclaration;
  /** What the role needs for it. */
  readonly permission: Permission;
  readonly arguments: Arguments;
  /** SHA-256 of the tool and its arguments, independent of the order of their fields. */
  readonly hash: Buffer;
  /** Whether it has an idempotency key. */
  readonly isRepeatable: boolean;
  /** What its ids identify. */
  readonly named: readonly NamedRecord[];
}

export interface NamedRecord {
  readonly argument: string;
  readonly resourceType: ResourceType;
  readonly id: string;
  /** What the call needs on it. */
  readonly permission: Permission;
}

/**
 * Checks a call, so that a person is only asked about what could happen.
 *
 * @throws Failure `not_found` (404) for an unknown tool; `validation_failed` (400) for one that needs no approval, and for
 *   arguments that it doesn't take
 */
export function checkedCall(
  tools: ReadonlyMap<string, ToolDeclaration>,
  { tool: name, arguments: given }: z.output<typeof RequestApprovalBody>,
): CheckedCall {
  const tool = tools.get(name);
  if (!tool) throw new Failure('not_found');
  const { endpoint } = operationById(tool.operation);
  const { access } = endpoint.metadata;
  const effect = effectOfCall(tool, given);
  if (access.kind !== 'member' || effect === 'read' || effect === 'change') {
    throw invalidField(['tool'], 'invalid_value', `Invalid tool: ${name} needs no approval`);
  }
  if (Buffer.byteLength(JSON.stringify(given)) > maxApprovedArgumentsBytes) {
    throw invalidField(
      ['arguments'],
      'too_big',
      `Invalid arguments: expected at most ${maxApprovedArgumentsBytes} bytes of JSON`,
    );
  }
  const request = requestFor(tool, given);
  const errors = [
    ...issuesIn(endpoint.pathParams, request.params),
    ...issuesIn(endpoint.query, request.query),
    ...issuesIn(endpoint.body, request.body),
  ];
  if (errors.length > 0) throw new Failure('validation_failed', { errors });
  const hash = createHash('sha256')
    .update(canonical([name, given]))
    .digest();
  const named = recordsIn(endpoint, request);
  const isRepeatable = request.headers?.['idempotency-key'] !== undefined;
  return { tool, permission: access.permission, arguments: given, hash, isRepeatable, named };
}

function requestFor(tool: ToolDeclaration, given: Arguments): ApiRequest {
  try {
    return requestOf(tool, given);
  } catch (error) {
    if (!(error instanceof ArgumentsError)) throw error;
    throw invalidField(['arguments'], 'invalid_value', error.message);
  }
}

/** The schemas of the general type of an operation are of any kind; an operation without one reads nothing there. */
function issuesIn(schema: unknown, input: unknown): ValidationIssue[] {
  const parsed = (schema as z.ZodType | null | undefined)?.safeParse(input);
  return (parsed?.error?.issues ?? []).slice(0, 50).map(({ path, code, message }) => ({
    in: 'body',
    path: ['arguments', ...path.map((step) => (typeof step === 'number' ? step : String(step)))],
    code,
    message,
  }));
}

function recordsIn({ metadata }: Endpoint, { params, body }: ApiRequest): NamedRecord[] {
  return Object.entries<Target>(metadata.targets).flatMap(([field, target]) => {
    if (target.kind !== 'record') return [];
    const { resource: resourceType, permission } = target;
    const [part = '', argument = ''] = field.split('.');
    const fields = (part === 'params' ? params : body) as Arguments | undefined;
    return [fields?.[argument]]
      .flat()
      .filter((id) => typeof id === 'string')
      .map((id) => ({ argument, resourceType, id, permission }));
  });
}

/** JSON with sorted names: two clients may write the same call in different orders. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
