import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { originsOf, type Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { Failure } from '../../kernel/errors.ts';
import { apiOf, type CallApi } from './api.ts';
import { identify, type McpCaller } from './caller.ts';
import { viewOf } from './view.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent a message of the Model Context Protocol; null for every other request. */
    assistant: { readonly caller: McpCaller; readonly callApi: CallApi } | null;
  }
}

/** A call of `assets_upload_small` is the longest message. */
const maxMessageBytes = 1024 ** 2;

/**
 * Serves the contract to assistants, by the Model Context Protocol over HTTP. Its tools are operations: like `/openapi.json`, it
 * is no operation itself.
 *
 * @see docs/decisions/0119-tools-for-assistants.md
 */
export function mcpFeature(deps: Deps): FastifyPluginAsync {
  const origins = originsOf(deps.config);
  return async (app) => {
    app.decorateRequest('assistant', null);
    app.route<{ Querystring: Record<string, unknown> }>({
      method: 'POST',
      url: '/mcp',
      bodyLimit: maxMessageBytes,
      // Before the body is read, as for every operation.
      async onRequest(request) {
        assertOrigin(request, origins);
        const callApi = apiOf(request);
        request.assistant = { caller: await identify(callApi), callApi };
        // The framework would wait for the body of a client that has disconnected meanwhile.
        if (request.raw.errored) throw request.raw.errored;
      },
      async handler(request, reply) {
        const { assistant, query, body, id: requestId, log } = request;
        if (assistant === null) throw new Error('a message was reached without authentication');
        const context = { ...assistant, view: viewOf(query), deps, requestId, log };
        // Loaded with the first message: most processes never get one.
        const { respond } = await import('./server.ts');
        return sent(reply, await respond(webRequestOf(request, deps.config), body, context));
      },
    });
    // There are no sessions to end and no streams to open.
    app.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE'],
      url: '/mcp',
      handler: async () => {
        throw new Failure('method_not_allowed', { headers: { allow: 'POST, OPTIONS' } });
      },
    });
  };
}

/**
 * Refuses pages of other origins, even with a key.
 *
 * @throws Failure `permission_denied` (403)
 */
function assertOrigin({ headers }: FastifyRequest, origins: readonly string[]): void {
  const { origin } = headers;
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return;
  throw new Failure('permission_denied', {
    message: `Requests from pages of ${origin.slice(0, 255)} are not allowed`,
  });
}

/** The message as the library of the protocol takes it: its body is parsed already. */
function webRequestOf({ url, headers }: FastifyRequest, { BASE_URL }: Config): Request {
  const taken = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') taken.set(name, value);
  }
  return new Request(new URL(url, BASE_URL), { method: 'POST', headers: taken });
}

async function sent(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const type = response.headers.get('content-type');
  if (type !== null) void reply.type(type);
  return reply.code(response.status).send(await response.text());
}
