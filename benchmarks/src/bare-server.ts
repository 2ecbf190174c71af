import { createServer } from 'node:http';

/** Started by bench.ts: answers as little as a server can, for the load generator's own limit. */
const body = '{"success":true,"data":{"status":"ok"}}';
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
