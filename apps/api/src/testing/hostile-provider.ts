import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the provider received. */
export interface ProviderRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly form: URLSearchParams;
}

export interface ProviderReply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** A string as it is, anything else as JSON. */
  readonly body: unknown;
}

/** The provider's response; it may also stay silent, or break the connection. */
export type Behaviour = () => ProviderReply | 'silence' | 'hang up' | Promise<ProviderReply>;

/** A sign-in provider with responses that a test defines, for both protocols. */
export interface HostileProvider {
  readonly url: string;
  /** Variables that make an API use it. */
  readonly environment: Record<string, string>;
  readonly requests: readonly ProviderRequest[];
  /** Sets the response of each path. */
  behave(behaviours: Record<string, Behaviour>): void;
  close(): Promise<void>;
}

export const hostileClient = { id: 'hostile-client', secret: 'hostile-secret' };

export async function startHostileProvider(): Promise<HostileProvider> {
  const behaviours = new Map<string, Behaviour>();
  const requests: ProviderRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url ?? '';
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    requests.push({ path, headers: request.headers, form });
    const reply = (await behaviours.get(path)?.()) ?? { status: 404, body: {} };
    if (reply === 'silence') return;
    if (reply === 'hang up') {
      response.destroy();
      return;
    }
    response.writeHead(reply.status ?? 200, {
      'content-type': 'application/json',
      ...reply.headers,
    });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    requests,
    environment: {
      OAUTH_GOOGLE_CLIENT_ID: hostileClient.id,
      OAUTH_GOOGLE_CLIENT_SECRET: hostileClient.secret,
      OAUTH_GOOGLE_AUTHORIZATION_ENDPOINT: `${url}/authorize`,
      OAUTH_GOOGLE_TOKEN_ENDPOINT: `${url}/token`,
      OAUTH_GOOGLE_JWKS_URI: `${url}/jwks`,
      OAUTH_GOOGLE_ISSUER: url,
      OAUTH_GITHUB_CLIENT_ID: hostileClient.id,
      OAUTH_GITHUB_CLIENT_SECRET: hostileClient.secret,
      OAUTH_GITHUB_AUTHORIZATION_ENDPOINT: `${url}/authorize`,
      OAUTH_GITHUB_TOKEN_ENDPOINT: `${url}/token`,
      OAUTH_GITHUB_USER_ENDPOINT: `${url}/user`,
      OAUTH_GITHUB_EMAILS_ENDPOINT: `${url}/emails`,
    },
    behave(changes) {
      for (const [path, behaviour] of Object.entries(changes)) behaviours.set(path, behaviour);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
