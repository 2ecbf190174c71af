import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { readResource, resourceTemplates } from './resources.ts';
import { callTool, listTools, type McpContext } from './tools.ts';

/**
 * Answers one message of a client, of any revision of the protocol. Each message has a server object of its own: one that
 * clients share has sent the response of one to another in other services.
 */
export async function answer(
  request: Request,
  message: unknown,
  context: McpContext,
): Promise<Response> {
  const { log } = context.deps;
  const handler = createMcpHandler(() => serverFor(context), {
    onerror: (error) => log.warn({ err: error }, 'an assistant sent a message that was refused'),
  });
  return handler.fetch(request, { parsedBody: message });
}

function serverFor(context: McpContext): Server {
  const server = new Server(
    { name: 'atelier', title: 'Atelier', version: '1.0.0' },
    { capabilities: { tools: {}, resources: {} } },
  );
  server.setRequestHandler('tools/list', () => ({ tools: listTools(context) }) as never);
  server.setRequestHandler('tools/call', ({ params }) => callTool(params, context));
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri, context));
  return server;
}
