import { createHash } from 'node:crypto';
import {
  effectOfCall,
  identityOfCall,
  issuesOfCall,
  maxApprovedArgumentsBytes,
  operationById,
  partsOfCall,
  recordsOfCall,
  ToolArgumentsError,
  type CallParts,
  type NamedRecord,
  type Permission,
  type RequestApprovalBody,
  type ToolArguments,
  type ToolDeclaration,
} from '@atelier/contract';
import type { z } from 'zod';
import { Failure, invalidField } from '../../kernel/errors.ts';

/** A call that a person decides on, valid by the contract. */
export interface CheckedCall {
  readonly tool: ToolDeclaration;
  /** What the role needs for it. */
  readonly permission: Permission;
  readonly arguments: ToolArguments;
  /** SHA-256 of the tool and its arguments, independent of the order of their fields. */
  readonly hash: Buffer;
  /** Whether it has an idempotency key. */
  readonly isRepeatable: boolean;
  /** What its ids identify. */
  readonly named: readonly NamedRecord[];
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
  const parts = partsFor(tool, given);
  const errors = issuesOfCall(endpoint, parts);
  if (errors.length > 0) throw new Failure('validation_failed', { errors });
  const hash = createHash('sha256').update(identityOfCall(tool, given)).digest();
  const named = recordsOfCall(endpoint, parts);
  const isRepeatable = parts.header['idempotencyKey'] !== undefined;
  return { tool, permission: access.permission, arguments: given, hash, isRepeatable, named };
}

function partsFor(tool: ToolDeclaration, given: ToolArguments): CallParts {
  try {
    return partsOfCall(tool, given);
  } catch (error) {
    if (!(error instanceof ToolArgumentsError)) throw error;
    throw invalidField(['arguments'], 'invalid_value', error.message);
  }
}
