import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { isLoopbackHost } from '../http/loopback.ts';
import type { Inbox } from './inbox.ts';
import { inboxPage, inboxScript, inboxStyle, mailBody, mailPage, notFoundPage } from './pages.ts';

interface MailResponse {
  status: number;
  type: string;
  body: string;
  policy?: string;
}

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The policy for the content of mails: no scripts, no remote resources, an isolated origin. */
const mailBodyPolicy = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

const json = (body: unknown, status = 200): MailResponse => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

const page = (body: string, status = 200): MailResponse => ({
  status,
  type: 'text/html; charset=utf-8',
  body,
});

const missingPage = (): MailResponse => page(notFoundPage(), 404);
const missingMail = (): MailResponse => json({ message: 'Mail not found' }, 404);

function readResponse(inbox: Inbox, { pathname, searchParams }: URL): MailResponse {
  const [, section, id, part] = pathname.split('/');
  const mail = id === undefined ? undefined : inbox.find(id);
  if (pathname === '/') return page(inboxPage(inbox.mails));
  if (pathname === '/inbox.css') return { status: 200, type: 'text/css', body: inboxStyle };
  if (pathname === '/inbox.js') return { status: 200, type: 'text/javascript', body: inboxScript };
  if (pathname === '/email') return json(inbox.mailsTo(searchParams.get('to')));
  if (pathname === `/email/${id}`) return mail === undefined ? missingMail() : json(mail);
  if (section !== 'mail' || mail === undefined) return missingPage();
  if (part === undefined) return page(mailPage(mail));
  if (pathname !== `/mail/${id}/html`) return missingPage();
  return { ...page(mailBody(mail)), policy: mailBodyPolicy };
}

function respond(inbox: Inbox, request: IncomingMessage): MailResponse {
  if (!isLoopbackHost(request.headers.host)) {
    return json({ message: 'The inbox is available on localhost only' }, 421);
  }
  const url = new URL(request.url ?? '/', 'http://localhost');
  const { pathname } = url;
  const method = request.method ?? 'GET';
  if (method === 'DELETE' && pathname === '/email') {
    inbox.clear();
    return json({ message: 'The inbox is empty' });
  }
  if (method === 'GET' || method === 'HEAD') return readResponse(inbox, url);
  return json({ message: `${pathname} does not support ${method}` }, 405);
}

function send(response: ServerResponse, { status, type, body, policy }: MailResponse): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'content-security-policy': policy ?? pagePolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Creates the HTTP server of the inbox, which does not listen yet. */
export function createInboxServer(inbox: Inbox): Server {
  return createServer((request, response) => {
    let result: MailResponse;
    try {
      result = respond(inbox, request);
    } catch {
      // Only the URL can be malformed.
      result = json({ message: 'Malformed request' }, 400);
    }
    send(response, result);
  });
}
