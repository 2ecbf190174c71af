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
  type ToolDeclaration,
} from '@atelier/contract';
import declared from '@atelier/contract/tools.json' with { type: 'json' };
import { invalidField, MockFailure } from '../failure.ts';
import { isRecord, type Fields } from '../state/store.ts';

/** A call of a tool, valid by the contract. */
export interface ToolCall {
  readonly tool: ToolDeclaration;
  readonly arguments: Fields;
  /** The same for equal calls, independent of the order of their fields. */
  readonly identity: string;
  /** What its ids name. */
  readonly named: readonly NamedRecord[];
}

// The contract's generator writes this type.
const tools = declared as unknown as readonly ToolDeclaration[];
const toolByName = new Map(tools.map((tool) => [tool.name, tool]));

/** @throws MockFailure `not_found` for an unknown tool; `validation_failed` for arguments that it doesn't take */
export function toolCallIn({ tool: name, arguments: given }: Fields): ToolCall {
  const tool = toolByName.get(String(name));
  if (!tool || !isRecord(given)) throw new MockFailure('not_found');
  const effect = effectOfCall(tool, given);
  if (effect === 'read' || effect === 'change') {
    throw invalidField(['tool'], 'invalid_value', `Invalid tool: ${tool.name} needs no approval`);
  }
  if (new TextEncoder().encode(JSON.stringify(given)).length > maxApprovedArgumentsBytes) {
    const message = `Invalid arguments: expected at most ${maxApprovedArgumentsBytes} bytes of JSON`;
    throw invalidField(['arguments'], 'too_big', message);
  }
  const { endpoint } = operationById(tool.operation);
  const parts = partsIn(tool, given);
  const errors = issuesOfCall(endpoint, parts);
  if (errors.length > 0) throw new MockFailure('validation_failed', { errors });
  const identity = identityOfCall(tool, given);
  return { tool, arguments: given, identity, named: recordsOfCall(endpoint, parts) };
}

function partsIn(tool: ToolDeclaration, given: Fields): CallParts {
  try {
    return partsOfCall(tool, given);
  } catch (error) {
    if (!(error instanceof ToolArgumentsError)) throw error;
    throw invalidField(['arguments'], 'invalid_value', error.message);
  }
}
