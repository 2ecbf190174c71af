import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { isLoopbackHost } from '../http/loopback.ts';
import type { Inbox } from './inbox.ts';
import { inboxPage, inboxScript, inboxStyle, mailBody, mailPage, notFoundPage } from './pages.ts';

interface Answer {
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

/** For what a sender wrote: no scripts, nothing loaded from elsewhere, an origin of its own. */
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

const json = (body: unknown, status = 200): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

const page = (body: string, status = 200): Answer => ({
  status,
  type: 'text/html; charset=utf-8',
  body,
});

const missingPage = (): Answer => page(notFoundPage(), 404);
const missingMail = (): Answer => json({ message: 'There is no such mail' }, 404);

function readAnswer(inbox: Inbox, pathname: string): Answer {
  const [, room, id, part] = pathname.split('/');
  const mail = id === undefined ? undefined : inbox.find(id);
  if (pathname === '/') return page(inboxPage(inbox.mails));
  if (pathname === '/inbox.css') return { status: 200, type: 'text/css', body: inboxStyle };
  if (pathname === '/inbox.js') return { status: 200, type: 'text/javascript', body: inboxScript };
  if (pathname === '/email') return json(inbox.mails);
  if (pathname === `/email/${id}`) return mail === undefined ? missingMail() : json(mail);
  if (room !== 'mail' || mail === undefined) return missingPage();
  if (part === undefined) return page(mailPage(mail));
  if (pathname !== `/mail/${id}/html`) return missingPage();
  return { ...page(mailBody(mail)), policy: mailBodyPolicy };
}

function answer(inbox: Inbox, request: IncomingMessage): Answer {
  if (!isLoopbackHost(request.headers.host)) {
    return json({ message: 'The inbox answers on localhost only' }, 421);
  }
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const method = request.method ?? 'GET';
  if (method === 'DELETE' && pathname === '/email') {
    inbox.clear();
    return json({ message: 'The inbox is empty' });
  }
  if (method === 'GET' || method === 'HEAD') return readAnswer(inbox, pathname);
  return json({ message: `${pathname} does not take ${method}` }, 405);
}

function send(response: ServerResponse, { status, type, body, policy }: Answer): void {
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

/** The reading side of the inbox; it doesn't listen yet. */
export function createInboxServer(inbox: Inbox): Server {
  return createServer((request, response) => {
    let result: Answer;
    try {
      result = answer(inbox, request);
    } catch {
      // Only the address can be malformed.
      result = json({ message: 'Malformed request' }, 400);
    }
    send(response, result);
  });
}
