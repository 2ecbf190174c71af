/**
 * oRPC 1 on Node's own server: a context from the headers, procedures built on each other by
 * middleware, inputs by zod, its RPC protocol.
 *
 * @see https://orpc.dev/docs/getting-started
 * @see https://orpc.dev/docs/middleware
 */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ORPCError, os } from '@orpc/server';
import { RPCHandler } from '@orpc/server/node';
import { shownAccount, shownComment, shownPage } from '../../src/limit/rows.ts';
import { records } from './drizzle/records.ts';
import { announce, readToken } from './environment.ts';
import { CommentInput, PageInput } from './inputs.ts';
import { newComment } from './records.ts';

const base = os.$context<{ headers: IncomingHttpHeaders }>();

const signedIn = base.use(async ({ context: { headers }, next }) => {
  const claims = readToken(headers.authorization);
  const account = claims && (await records.caller(claims));
  if (!account) throw new ORPCError('UNAUTHORIZED');
  return next({ context: { account } });
});

const memberOnly = base.use(async ({ context: { headers }, next }) => {
  const claims = readToken(headers.authorization);
  const organizationId = String(headers['x-organization-id']);
  const account = claims && (await records.member(claims, organizationId));
  if (!account) throw new ORPCError('FORBIDDEN');
  return next({ context: { account, organizationId } });
});

const router = {
  user: signedIn.handler(({ context }) => shownAccount(context.account)),
  tasks: memberOnly.input(PageInput).handler(async ({ context, input: { limit } }) => {
    return shownPage(await records.tasks(context.organizationId, limit + 1), limit);
  }),
  comment: memberOnly.input(CommentInput).handler(async ({ context, input }) => {
    const { account, organizationId } = context;
    if (account.role === 'VIEWER') throw new ORPCError('FORBIDDEN');
    const comment = newComment({ organizationId, authorId: account.id }, input);
    if (!(await records.post(comment))) throw new ORPCError('NOT_FOUND');
    return shownComment(comment, account);
  }),
};

const handler = new RPCHandler(router);
const server = createServer(async (request, response) => {
  const context = { headers: request.headers };
  const { matched } = await handler.handle(request, response, { prefix: '/rpc', context });
  if (matched) return;
  response.statusCode = 404;
  response.end('No procedure matched');
});
server.listen(0, '127.0.0.1', () => {
  // A server that listens on a port has such an address.
  announce((server.address() as AddressInfo).port);
});
