import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Started by bench.ts. Responds with a few bytes, to find the limit of the load generator. */
const body = '{"success":true,"data":{"status":"ok"}}';
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`Server listening at http://127.0.0.1:${port}\n`);
});
