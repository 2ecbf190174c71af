import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { FuzzRequest } from './requests.ts';

/** A response; `failure` if it was unreadable or missing. */
export interface WireResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly failure: string | null;
}

/** Connections that are reused between requests, as in a client. */
export function connections(most: number): Agent {
  return new Agent({ keepAlive: true, maxSockets: most });
}

/**
 * Sends a request as it is, and reads the response to its end. Never rejects.
 *
 * An idle connection may be closed just as it is reused, which Node doesn't tell of each. So a request without a response
 * is sent once more on a new one: if the request makes the service disconnect, it does so again.
 */
export async function sendFuzz(
  { url, agent }: { url: string; agent: Agent },
  request: FuzzRequest,
): Promise<WireResponse> {
  const response = await sendOnce({ url, agent }, request);
  return response.failure === null ? response : sendOnce({ url, agent: false }, request);
}

function sendOnce(
  { url, agent }: { url: string; agent: Agent | false },
  { method, path, headers, body }: FuzzRequest,
): Promise<WireResponse> {
  const { promise, resolve } = Promise.withResolvers<WireResponse>();
  const outgoing = httpRequest(
    url,
    {
      agent,
      method,
      path,
      headers: { ...headers, ...(body && { 'content-length': body.length }) },
      timeout: 20_000,
    },
    (response) => {
      const { statusCode: status = 0, headers: received } = response;
      let text = '';
      const finish = () => resolve({ status, headers: received, text, failure: null });
      if (received['content-type'] === 'text/event-stream') {
        // A stream has no end to wait for.
        outgoing.destroy();
        finish();
        return;
      }
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', finish);
      response.on('error', (error) => fail(`the response broke off: ${error.message}`));
    },
  );
  const fail = (failure: string) => resolve({ status: 0, headers: {}, text: '', failure });
  outgoing.on('timeout', () => outgoing.destroy(new Error('no response within 20 s')));
  outgoing.on('error', (error) => fail(error.message));
  outgoing.end(body ?? undefined);
  return promise;
}

/**
 * Sends bytes on a new connection and returns everything that comes back.
 *
 * @param options.silenceMs - how long the server may be silent before the client disconnects
 */
export function sendBytes(
  url: string,
  bytes: Uint8Array,
  { silenceMs = 1_000 }: { silenceMs?: number } = {},
): Promise<{ text: string; wasClosedByServer: boolean }> {
  const { promise, resolve } = Promise.withResolvers<{
    text: string;
    wasClosedByServer: boolean;
  }>();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('latin1').setTimeout(silenceMs);
  socket.on('connect', () => socket.write(bytes));
  socket.on('data', (chunk: string) => (text += chunk));
  socket.on('timeout', () => {
    resolve({ text, wasClosedByServer: false });
    socket.destroy();
  });
  // A server that stops reading after its response resets the connection.
  socket.on('error', () => resolve({ text, wasClosedByServer: true }));
  socket.on('close', () => resolve({ text, wasClosedByServer: true }));
  return promise;
}

/** A response among raw bytes. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Parses raw bytes as responses.
 *
 * @returns null if they are not HTTP/1.1
 */
export function rawResponses(text: string): RawResponse[] | null {
  const responses: RawResponse[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
    if (end === -1 || status === undefined) return null;
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers['content-length'] ?? 0);
    const isStream = headers['transfer-encoding'] === 'chunked';
    const start = end + 4;
    responses.push({
      status: Number(status),
      headers,
      body: isStream ? rest.slice(start) : rest.slice(start, start + length),
    });
    rest = isStream ? '' : rest.slice(start + length);
  }
  return responses;
}
