/**
 * tRPC 11 under Fastify: a context from the request, procedures built on each other by middleware,
 * inputs by zod.
 *
 * @see https://trpc.io/docs/server/adapters/fastify
 * @see https://trpc.io/docs/server/procedures#reusable-base-procedures
 */
import { initTRPC, TRPCError } from '@trpc/server';
import {
  fastifyTRPCPlugin,
  type CreateFastifyContextOptions,
  type FastifyTRPCPluginOptions,
} from '@trpc/server/adapters/fastify';
import { fastify } from 'fastify';
import { shownAccount, shownComment, shownPage } from '../../src/limit/rows.ts';
import { records } from './drizzle/records.ts';
import { announce, readToken } from './environment.ts';
import { CommentInput, PageInput } from './inputs.ts';
import { newComment } from './records.ts';

function createContext({ req: { headers } }: CreateFastifyContextOptions) {
  return {
    claims: readToken(headers.authorization),
    organizationId: String(headers['x-organization-id']),
  };
}

const t = initTRPC.context<typeof createContext>().create();

const signedIn = t.procedure.use(async ({ ctx, next }) => {
  const account = ctx.claims && (await records.caller(ctx.claims));
  if (!account) throw new TRPCError({ code: 'UNAUTHORIZED' });
  return next({ ctx: { account } });
});

const memberOnly = t.procedure.use(async ({ ctx, next }) => {
  const account = ctx.claims && (await records.member(ctx.claims, ctx.organizationId));
  if (!account) throw new TRPCError({ code: 'FORBIDDEN' });
  return next({ ctx: { account } });
});

const router = t.router({
  user: signedIn.query(({ ctx }) => shownAccount(ctx.account)),
  tasks: memberOnly.input(PageInput).query(async ({ ctx, input: { limit } }) => {
    return shownPage(await records.tasks(ctx.organizationId, limit + 1), limit);
  }),
  comment: memberOnly.input(CommentInput).mutation(async ({ ctx, input }) => {
    const { account, organizationId } = ctx;
    if (account.role === 'VIEWER') throw new TRPCError({ code: 'FORBIDDEN' });
    const comment = newComment({ organizationId, authorId: account.id }, input);
    if (!(await records.post(comment))) throw new TRPCError({ code: 'NOT_FOUND' });
    return shownComment(comment, account);
  }),
});

const server = fastify({ routerOptions: { maxParamLength: 5000 } });
await server.register(fastifyTRPCPlugin, {
  prefix: '/trpc',
  trpcOptions: { router, createContext } satisfies FastifyTRPCPluginOptions<
    typeof router
  >['trpcOptions'],
});
const address = await server.listen({ host: '127.0.0.1', port: 0 });
announce(Number(new URL(address).port));
