import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Started by bench.ts: answers as little as a server can, for the load generator's own limit. */
const body = '{"success":true,"data":{"status":"ok"}}';
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  // It listens on a port.
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`Server listening at http://127.0.0.1:${port}\n`);
});
