import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Client,
} from '@modelcontextprotocol/client';
import { Server, type ServerContext } from '@modelcontextprotocol/server';

/** The requests that reach the service. The library refuses others. */
const forwardedMethods = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
] as const;

interface Bridge {
  readonly service: Client;
  /** Describes in one line why the service did not respond to a request, or refused it. */
  readonly describe: (error: unknown) => string;
}

/**
 * Returns the server that a client sees over stdio. It names itself as the service does, and forwards every request to it: tools,
 * schemas, limits and refusals are those of the service.
 */
export function bridgeTo({ service, describe }: Bridge): Server {
  const instructions = service.getInstructions();
  const server = new Server(service.getServerVersion() ?? { name: 'atelier', version: '0.0.0' }, {
    capabilities: { tools: {}, resources: {} },
    ...(instructions !== undefined && { instructions }),
  });
  for (const method of forwardedMethods) {
    server.setRequestHandler(method, async ({ params }, context) => {
      try {
        return await service.request(
          { method, params: forwardedParams(params, { server, context }) },
          // The client responds to what the service asks.
          { signal: context.mcpReq.signal, allowInputRequired: true },
        );
      } catch (error) {
        // The service refused the request, in the words of the protocol.
        if (error instanceof ProtocolError) throw error;
        const text = describe(error);
        // Clients show a model the results of tools, and end after some errors.
        if (method === 'tools/call') return { isError: true, content: [{ type: 'text', text }] };
        throw new ProtocolError(ProtocolErrorCode.InternalError, text);
      }
    });
  }
  return server;
}

interface Forwarding {
  readonly server: Server;
  readonly context: ServerContext;
}

/** Returns the parameters as the client sent them, and beside them who it is: the library takes that out of a request. */
function forwardedParams(params: object | undefined, { server, context: { mcpReq } }: Forwarding) {
  const { _meta, inputResponses } = mcpReq;
  // Since the revision of 2026, each request has it; before, the first one of a connection.
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {
    [CLIENT_INFO_META_KEY]: server.getClientVersion(),
    [CLIENT_CAPABILITIES_META_KEY]: server.getClientCapabilities(),
  };
  const requestState = mcpReq.requestState();
  return {
    ...params,
    ...(inputResponses && { inputResponses }),
    ...(typeof requestState === 'string' && { requestState }),
    _meta: { ..._meta, ...originIn(envelope) },
  };
}

/** The revision that the client speaks stays out: the one of the service may be another. */
function originIn(envelope: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    [CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY].flatMap((key) =>
      envelope[key] === undefined ? [] : [[key, envelope[key]]],
    ),
  );
}
