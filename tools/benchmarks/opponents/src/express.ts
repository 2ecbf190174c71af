/**
 * Express 5 with middleware that stores its results in `response.locals`, validation by zod, and one error
 * handler. Tuned: without ETags and its own header, and JSON written directly.
 *
 * @see https://expressjs.com/en/guide/using-middleware.html
 * @see https://expressjs.com/en/guide/error-handling.html
 * @see https://expressjs.com/en/advanced/best-practice-performance.html
 */
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { shownAccount, shownComment, shownPage, type AccountRow } from '../../src/limit/rows.ts';
import { announce, databaseUrl, isTuned, readToken } from './environment.ts';
import { CommentBody, PageQuery } from './inputs.ts';
import { recordsByGuide } from './prisma/guide.ts';
import { tunedRecords } from './prisma/tuned.ts';
import { newComment } from './records.ts';

interface Locals {
  account: AccountRow;
  organizationId: string;
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number) {
    super('Refused');
    this.status = status;
  }
}

const records = isTuned ? tunedRecords(databaseUrl) : recordsByGuide(databaseUrl);
const Params = z.object({ taskId: z.uuid() });

const signedIn: RequestHandler = async (request, response, next) => {
  const claims = readToken(request.headers.authorization);
  const account = claims && (await records.caller(claims));
  if (!account) throw new Refused(401);
  response.locals['account'] = account;
  next();
};

const memberOnly: RequestHandler = async (request, response, next) => {
  const claims = readToken(request.headers.authorization);
  const organizationId = request.get('x-organization-id') ?? '';
  const account = claims && (await records.member(claims, organizationId));
  if (!account) throw new Refused(403);
  Object.assign(response.locals, { account, organizationId });
  next();
};

const refuse: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  const status = error instanceof Refused ? error.status : error instanceof z.ZodError ? 400 : 500;
  response.status(status).json({ message: 'Refused' });
};

const send = isTuned
  ? (response: Response, body: object) => {
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.end(JSON.stringify(body));
    }
  : (response: Response, body: object) => {
      response.json(body);
    };

const app = express();
if (isTuned) app.disable('etag').disable('x-powered-by');
app.use(express.json());

app.get('/api/auth/user', signedIn, (_request, response: Response<object, Locals>) => {
  send(response, { data: shownAccount(response.locals.account) });
});

app.get('/api/tasks', memberOnly, async (request, response: Response<object, Locals>) => {
  const { limit } = PageQuery.parse(request.query);
  const rows = await records.tasks(response.locals.organizationId, limit + 1);
  send(response, { message: 'Tasks retrieved', data: shownPage(rows, limit) });
});

app.post(
  '/api/tasks/:taskId/comments',
  memberOnly,
  async (request, response: Response<object, Locals>) => {
    const { account, organizationId } = response.locals;
    const input = { ...Params.parse(request.params), ...CommentBody.parse(request.body) };
    if (account.role === 'VIEWER') throw new Refused(403);
    const comment = newComment({ organizationId, authorId: account.id }, input);
    if (!(await records.post(comment))) throw new Refused(404);
    const data = shownComment(comment, account);
    send(response.status(201), { message: 'Comment posted', data });
  },
);

app.use(refuse);

const server = app.listen(0, '127.0.0.1', () => {
  // A server that listens on a port has such an address.
  announce((server.address() as AddressInfo).port);
});
