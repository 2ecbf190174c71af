import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  ProtocolErrorCode,
  Server,
  type ClientCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { McpClient, McpContext } from './context.ts';
import { readResource, resourceTemplates } from './resources.ts';
import { callTool, listTools } from './tools.ts';

type MessageContext = Omit<McpContext, 'client'>;

/**
 * Responds to one message of a client, of any revision of the protocol. Each message has a server object of its own: a
 * shared one can send the response of one client to another (CVE-2026-25536).
 */
export async function respond(
  request: Request,
  message: unknown,
  context: MessageContext,
): Promise<Response> {
  if (Array.isArray(message)) return refusedBatch();
  const handler = createMcpHandler(() => serverFor(context), {
    onerror: (error) => context.log.warn({ err: error }, 'a message of an assistant was refused'),
  });
  return handler.fetch(request, { parsedBody: message });
}

/** One message of 1,048,576 bytes could ask thousands of times for the list of tools. The protocol has no batches since June 2025. */
function refusedBatch(): Response {
  const error = { code: ProtocolErrorCode.InvalidRequest, message: 'Expected a single message' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 });
}

function serverFor(context: MessageContext): Server {
  const server = new Server(
    { name: 'atelier', title: 'Atelier', version: '1.0.0' },
    { capabilities: { tools: {}, resources: {} } },
  );
  // The generator writes schemas of objects only, which this type can't know.
  server.setRequestHandler('tools/list', () => ({ tools: listTools(context) }) as never);
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    callTool(params, { ...context, client: clientOf(mcpReq) }),
  );
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri, context));
  return server;
}

function clientOf({ envelope, inputResponses }: ServerContext['mcpReq']): McpClient {
  const capabilities = (envelope as Record<string, ClientCapabilities> | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ];
  return {
    opensAddresses: capabilities?.elicitation?.url !== undefined,
    hasResponded: inputResponses !== undefined,
  };
}
