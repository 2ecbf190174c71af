import {
  effectOfCall,
  ToolArgumentsError,
  type ToolArguments,
  type ToolDeclaration,
} from '@atelier/contract';
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { loadTools } from '../../domain/tools/declarations.ts';
import { requestOf } from '../../domain/tools/request.ts';
import { failureOf, refusalOf } from '../../http/error-handler.ts';
import { callWithApproval, needsApproval } from './approvals.ts';
import type { McpCaller } from './caller.ts';
import type { McpContext } from './context.ts';
import { assetsReadText } from './own-tools/read-text.ts';
import { assetsUploadSmall } from './own-tools/upload-small.ts';
import { whoami } from './own-tools/whoami.ts';
import type { OwnTool } from './own-tools/own-tool.ts';
import { refusal, resultOfResponse, withinBounds } from './results.ts';
import { reasonAgainst, type RestrictedTool } from './view.ts';

type ToolResult = CallToolResult | InputRequiredResult;

interface ToolCall {
  readonly name: string;
  readonly arguments?: ToolArguments | undefined;
}

/** A tool as clients see it, and what calls it. */
interface CallableTool extends RestrictedTool {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ToolDeclaration['inputSchema'];
  readonly annotations: ToolDeclaration['annotations'];
  readonly outputSchema?: ToolDeclaration['outputSchema'];
  readonly call: (given: ToolArguments, context: McpContext) => Promise<ToolResult>;
}

const ownTools = [callableOf(whoami), callableOf(assetsReadText), callableOf(assetsUploadSmall)];
const operationTools = [...(await loadTools()).values()].map(callable);
const byName = new Map([...ownTools, ...operationTools].map((tool) => [tool.name, tool]));

/** Returns the tools that a client can use. */
export function listTools(context: Pick<McpContext, 'view' | 'caller'>) {
  return [...byName.values()]
    .filter((tool) => reasonAgainst(tool, context) === null)
    .map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({
      name,
      title,
      description,
      inputSchema: withoutOrganization(inputSchema, context.caller),
      ...(outputSchema && { outputSchema }),
      annotations: { ...annotations, title },
    }));
}

/**
 * Calls a tool. What the API refuses is a result that the model reads.
 *
 * @throws ProtocolError for a name that no tool has
 */
export async function callTool(
  { name, arguments: given = {} }: ToolCall,
  context: McpContext,
): Promise<ToolResult> {
  const tool = byName.get(name);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}`);
  const reason = reasonAgainst(tool, context);
  if (reason !== null) return refusal(reason);
  try {
    return await tool.call(given, context);
  } catch (error) {
    if (error instanceof ToolArgumentsError) return refusal(error.message);
    return resultOfError(error, context);
  }
}

/** What a tool does besides its requests to the API fails in the one error shape, too. */
function resultOfError(
  error: unknown,
  { requestId, log }: Pick<McpContext, 'requestId' | 'log'>,
): CallToolResult {
  const failure = failureOf(error);
  if (failure.status >= 500) {
    log.error({ err: failure.cause ?? failure, code: failure.code }, failure.message);
  }
  return refusal(refusalOf(failure, requestId).body);
}

function callable(declaration: ToolDeclaration): CallableTool {
  return {
    ...declaration,
    async call(given, context) {
      const request = requestOf(declaration, given);
      if (needsApproval(effectOfCall(declaration, given), context.caller)) {
        return callWithApproval({ tool: declaration, given, request }, context);
      }
      const result = resultOfResponse(await context.callApi(request));
      return declaration.effect === 'read' ? withinBounds(result) : result;
    },
  };
}

function callableOf<Input>(own: OwnTool<Input>): CallableTool {
  const { name, title, description, toolset, scope, effect, input } = own;
  return {
    name,
    title,
    description,
    toolset,
    scope,
    effect,
    inputSchema: z.toJSONSchema(input, { io: 'input' }),
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'remove',
      idempotentHint: effect === 'read',
      openWorldHint: false,
    },
    async call(given, { caller, callApi, deps }) {
      const parsed = input.safeParse(given);
      if (!parsed.success) return refusal(z.prettifyError(parsed.error));
      return own.call({ input: parsed.data, caller, callApi, deps });
    },
  };
}

/** Leaves out the choice of an organization where there is none. */
function withoutOrganization(
  schema: ToolDeclaration['inputSchema'],
  { organizations }: McpCaller,
): ToolDeclaration['inputSchema'] {
  if (organizations.length > 1) return schema;
  const { organizationId: _, ...properties } = schema['properties'] as Record<string, unknown>;
  return { ...schema, properties };
}
