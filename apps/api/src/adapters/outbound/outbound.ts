import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Config } from '../../config.ts';
import { withTimeout } from '../../kernel/timeout.ts';
import type { Clock } from '../../ports/clock.ts';
import type {
  OutboundError,
  OutboundHttp,
  OutboundRequest,
  OutboundResponse,
} from '../../ports/outbound-http.ts';
import { NameError, type ResolveName } from './names.ts';
import { networksWith } from './networks.ts';
import { ownServicesOf } from './own-services.ts';

/** How long a connection may take, with its names and its encryption, in milliseconds. */
const connectMs = 5_000;
const maxHeaderBytes = 16 * 1024;

// Their own, because the global ones may follow the proxy variables of the environment.
const agents = {
  'http:': new HttpAgent({ keepAlive: false }),
  'https:': new HttpsAgent({ keepAlive: false }),
};

/**
 * Requests what people enter, by rules against forged requests: only public addresses, judged in the look-up of the very
 * socket that connects; no redirects, no proxies, no connection that is kept, and bounds for time and size.
 *
 * @see docs/decisions/0070-guarded-outbound-http.md
 */
export function createOutboundHttp(
  config: Config,
  { clock, resolve }: { clock: Clock; resolve: ResolveName },
): OutboundHttp {
  const networks = networksWith(config.OUTBOUND_ALLOWED_NETWORKS);
  const own = ownServicesOf(config, { clock, networks });

  function placeOf(text: string): URL | null {
    const url = URL.parse(text);
    if (!url || !isAllowedForm(url, config.OUTBOUND_ALLOW_HTTP)) return null;
    const literal = literalIn(url);
    return literal === null || networks.isAllowed(literal) ? url : null;
  }

  /** @throws Refused if one of the addresses is not allowed: a name that has both kinds is up to something */
  async function assertAllowed(addresses: readonly string[], port: number): Promise<void> {
    for (const address of addresses) {
      if (!networks.isAllowed(address) || (await own.include(address, port))) throw new Refused();
    }
  }

  const lookupFor = (port: number): LookupFunction => {
    return (name, options, callback) => {
      const found = resolve(name.replace(/\.$/, '')).then(async (addresses) => {
        await assertAllowed(addresses, port);
        return addresses.map((address) => ({ address, family: isIP(address) }));
      });
      found.then(
        (all) => {
          const [first] = all;
          if (options.all) callback(null, all);
          else callback(null, first?.address ?? '', first?.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, []),
      );
    };
  };

  return {
    mayRequest: (url) => placeOf(url) !== null,
    async send(request) {
      const url = placeOf(request.url);
      if (!url) return { error: 'address_refused' };
      const literal = literalIn(url);
      const startedAt = performance.now();
      try {
        // No look-up is made for a literal.
        if (literal !== null) {
          const checkMs = Math.min(connectMs, request.timeoutMs);
          const check = assertAllowed([literal], portOf(url));
          await withTimeout(checkMs, check, () => new Ended('timeout'));
        }
        const timeoutMs = request.timeoutMs - (performance.now() - startedAt);
        return await exchange(url, { ...request, timeoutMs }, lookupFor(portOf(url)));
      } catch (error) {
        return { error: errorOf(error) };
      }
    },
  };
}

function isAllowedForm({ protocol, username, password, hash, hostname, port }: URL, http: boolean) {
  if (protocol !== 'https:' && !(protocol === 'http:' && http)) return false;
  if (username !== '' || password !== '' || hash !== '' || hostname === '') return false;
  const isUsual = port === '' || port === '443' || port === '8443';
  return isUsual || Number(port) >= 1024;
}

function literalIn({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) > 0 ? bare : null;
}

function portOf({ protocol, port }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

class Refused extends Error {
  override readonly name = 'Refused';
}

/** An error that is already told apart. */
class Ended extends Error {
  readonly reason: OutboundError;

  constructor(reason: OutboundError) {
    super(reason);
    this.reason = reason;
  }
}

function exchange(
  url: URL,
  { method, headers, body, timeoutMs, maxResponseBytes }: OutboundRequest,
  lookup: LookupFunction,
): Promise<OutboundResponse> {
  const isSecure = url.protocol === 'https:';
  const start = isSecure ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    let isConnected = false;
    let isEncrypted = !isSecure;
    const request = start(url, {
      method,
      lookup,
      agent: isSecure ? agents['https:'] : agents['http:'],
      maxHeaderSize: maxHeaderBytes,
      headers: { ...headers, ...(body && { 'content-length': String(body.length) }) },
    });
    const end = (error: Error) => {
      settled();
      request.destroy();
      reject(error);
    };
    const timers = [
      setTimeout(() => end(new Ended('timeout')), timeoutMs),
      setTimeout(() => (isConnected && isEncrypted) || end(new Ended('timeout')), connectMs),
    ];
    const settled = () => {
      for (const timer of timers) clearTimeout(timer);
    };
    request.once('socket', (socket) => {
      socket.once('connect', () => (isConnected = true));
      socket.once('secureConnect', () => (isEncrypted = true));
    });
    request.on('error', (error) =>
      end(isConnected && !isEncrypted ? handshakeError(error) : error),
    );
    let isResponding = false;
    // Neither a response nor an error: the other side has switched to another protocol, for example.
    request.once('close', () => isResponding || end(new Ended('connection_reset')));
    request.once('response', (response) => {
      isResponding = true;
      readBounded(response, maxResponseBytes).then((read) => {
        settled();
        request.destroy();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read });
      }, end);
    });
    request.end(body ?? undefined);
  });
}

async function readBounded(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new Ended('response_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function handshakeError(error: NodeJS.ErrnoException): Error {
  return error.code === 'ECONNRESET' ? error : new Ended('tls');
}

const byCode: Readonly<Record<string, OutboundError>> = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_refused',
  ENETUNREACH: 'connection_refused',
  EADDRNOTAVAIL: 'connection_refused',
  ETIMEDOUT: 'timeout',
  HPE_HEADER_OVERFLOW: 'response_too_large',
};

/** What a caller learns: the addresses of the operator's network are in none of it. */
function errorOf(error: unknown): OutboundError {
  if (error instanceof Ended) return error.reason;
  if (error instanceof Refused) return 'address_refused';
  if (error instanceof NameError) return 'dns';
  const { code } = error as NodeJS.ErrnoException;
  return byCode[code ?? ''] ?? 'connection_reset';
}
