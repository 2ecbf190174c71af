/** The limit: `node:http`, prepared statements and `node:crypto`, by hand and without a framework. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { settings } from './settings.ts';
import { handWrittenWork, type Head } from './work.ts';

const work = handWrittenWork(settings);
const startedAt = Date.now();
const commentsPath = /^\/api\/tasks\/([0-9a-f-]{36})\/comments$/;

const server = createServer((request, response) => {
  handle(request).then(
    (body) => send(response, body),
    () => send(response, null),
  );
});
server.listen(0, '127.0.0.1', () => {
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`Server listening at http://127.0.0.1:${port}\n`);
});

async function handle(request: IncomingMessage): Promise<object | null> {
  const { method, url = '' } = request;
  if (method === 'GET') {
    if (url === '/health') return health();
    if (url === '/api/auth/user') return work.user(headOf(request));
    if (url.startsWith('/api/tasks?')) {
      return work.tasks(headOf(request), Number(new URLSearchParams(url.slice(11)).get('limit')));
    }
  }
  const taskId = method === 'POST' ? commentsPath.exec(url)?.[1] : undefined;
  if (taskId === undefined) return null;
  const { body } = JSON.parse(await textOf(request)) as { body?: unknown };
  if (typeof body !== 'string' || body === '' || body.length > 10_000) return null;
  return work.comment(headOf(request), { taskId, body });
}

function health() {
  const uptimeSeconds = Math.floor((Date.now() - startedAt) / 1000);
  return {
    message: 'The service is up',
    data: { status: 'ok', version: '1.0.0', uptimeSeconds },
  };
}

function headOf({ headers }: IncomingMessage): Head {
  return {
    authorization: headers.authorization,
    organizationId: String(headers['x-organization-id']),
  };
}

function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => resolve(text));
    request.on('error', reject);
  });
}

function send(response: ServerResponse, body: object | null): void {
  const text = JSON.stringify(body ?? { message: 'Refused' });
  const status = body === null ? 400 : response.req.method === 'POST' ? 201 : 200;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
