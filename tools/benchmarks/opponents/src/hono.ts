/**
 * Hono 4 on Node: middleware made by `createMiddleware`, variables of the context, validation by the built-in
 * `validator` with zod, errors as `HTTPException`.
 *
 * @see https://hono.dev/docs/getting-started/nodejs
 * @see https://hono.dev/docs/guides/validation
 * @see https://hono.dev/docs/helpers/factory
 */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import { validator } from 'hono/validator';
import { z } from 'zod';
import { shownAccount, shownComment, shownPage, type AccountRow } from '../../src/limit/rows.ts';
import { records } from './drizzle/records.ts';
import { announce, readToken } from './environment.ts';
import { CommentBody, PageQuery } from './inputs.ts';
import { newComment } from './records.ts';

interface Caller {
  readonly Variables: { readonly account: AccountRow };
}

interface Member {
  readonly Variables: { readonly account: AccountRow; readonly organizationId: string };
}

const signedIn = createMiddleware<Caller>(async (c, next) => {
  const claims = readToken(c.req.header('authorization'));
  const account = claims && (await records.caller(claims));
  if (!account) throw new HTTPException(401);
  c.set('account', account);
  await next();
});

const memberOnly = createMiddleware<Member>(async (c, next) => {
  const claims = readToken(c.req.header('authorization'));
  const organizationId = c.req.header('x-organization-id') ?? '';
  const account = claims && (await records.member(claims, organizationId));
  if (!account) throw new HTTPException(403);
  c.set('account', account);
  c.set('organizationId', organizationId);
  await next();
});

function valid<Schema extends z.ZodType>(schema: Schema) {
  return (value: unknown): z.infer<Schema> => {
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw new HTTPException(400, { message: parsed.error.message });
    return parsed.data;
  };
}

const app = new Hono()
  .get('/api/auth/user', signedIn, (c) => c.json({ data: shownAccount(c.var.account) }))
  .get('/api/tasks', memberOnly, validator('query', valid(PageQuery)), async (c) => {
    const { limit } = c.req.valid('query');
    const rows = await records.tasks(c.var.organizationId, limit + 1);
    return c.json({ message: 'Tasks retrieved', data: shownPage(rows, limit) });
  })
  .post(
    '/api/tasks/:taskId/comments',
    memberOnly,
    validator('param', valid(z.object({ taskId: z.uuid() }))),
    validator('json', valid(CommentBody)),
    async (c) => {
      const { account, organizationId } = c.var;
      if (account.role === 'VIEWER') throw new HTTPException(403);
      const comment = newComment(
        { organizationId, authorId: account.id },
        { ...c.req.valid('param'), ...c.req.valid('json') },
      );
      if (!(await records.post(comment))) throw new HTTPException(404);
      return c.json({ message: 'Comment posted', data: shownComment(comment, account) }, 201);
    },
  );

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => announce(port));
