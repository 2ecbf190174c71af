import {
  headerArguments,
  partsOfCall,
  type OperationId,
  type ToolArguments,
  type ToolDeclaration,
} from '@atelier/contract';

/** The headers that arguments become. */
const headerNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(headerArguments).map(([header, argument]) => [argument, header]),
);

/** A request to an operation of the contract, made within this process. */
export interface ApiRequest {
  readonly operation: OperationId;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Makes the request of a call, which validates the values of its arguments.
 *
 * @throws ToolArgumentsError for arguments that no request can carry
 */
export function requestOf(tool: ToolDeclaration, given: ToolArguments): ApiRequest {
  const { path, query, header, body } = partsOfCall(tool, given);
  return {
    operation: tool.operation,
    params: path,
    query,
    headers: Object.fromEntries(
      Object.entries(header).map(([argument, value]) => [headerNames[argument] ?? argument, value]),
    ),
    ...(Object.values(tool.places).includes('body') && { body }),
  };
}
