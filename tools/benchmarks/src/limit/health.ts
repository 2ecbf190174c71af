/**
 * S0 by hand with the requirements of the service: its headers, CORS and request id included, and its log line.
 * The difference from the limit is their cost.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { commonHeaders } from '../../../../apps/api/src/http/common-headers.ts';
import { requestIdOf } from '../../../../apps/api/src/http/request-id.ts';
import { createProcessLog } from '../../../../apps/api/src/log.ts';

const log = createProcessLog('info');
const startedAt = Date.now();
const common = commonHeaders({ BASE_URL: 'http://127.0.0.1' });
const exposed =
  'Deprecation, ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, Sunset, X-Request-Id';

const server = createServer((request, response) => {
  const arrivedAt = performance.now();
  const requestId = requestIdOf(request);
  const text = JSON.stringify({
    message: 'The service is up',
    data: {
      status: 'ok',
      version: '1.0.0',
      uptimeSeconds: Math.floor((Date.now() - startedAt) / 1000),
    },
  });
  response.writeHead(200, {
    'x-request-id': requestId,
    ...common,
    vary: 'Origin',
    'access-control-expose-headers': exposed,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
  response.once('finish', () => {
    log.info(
      {
        requestId,
        method: request.method,
        route: request.url,
        status: response.statusCode,
        durationMs: Math.round(performance.now() - arrivedAt),
      },
      'request',
    );
  });
});
server.listen(0, '127.0.0.1', () => {
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  log.info(`Server listening at http://127.0.0.1:${port}`);
  log.flush();
});
