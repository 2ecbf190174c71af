/** The same work with bare Fastify: validation by its own schemas, plain `JSON.stringify`. */
import { fastify, type FastifyRequest } from 'fastify';
import { settings } from './settings.ts';
import { handWrittenWork, type Head } from './work.ts';

const work = handWrittenWork(settings);
const startedAt = Date.now();
const app = fastify();

app.get('/health', async () => ({
  message: 'The service is up',
  data: {
    status: 'ok',
    version: '1.0.0',
    uptimeSeconds: Math.floor((Date.now() - startedAt) / 1000),
  },
}));

app.get('/api/auth/user', (request) => orThrow(work.user(headOf(request))));

app.get<{ Querystring: { limit: number } }>(
  '/api/tasks',
  {
    schema: {
      querystring: {
        type: 'object',
        properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
      },
    },
  },
  (request) => orThrow(work.tasks(headOf(request), request.query.limit)),
);

app.post<{ Params: { taskId: string }; Body: { body: string } }>(
  '/api/tasks/:taskId/comments',
  {
    schema: {
      params: { type: 'object', properties: { taskId: { type: 'string', format: 'uuid' } } },
      body: {
        type: 'object',
        required: ['body'],
        properties: { body: { type: 'string', minLength: 1, maxLength: 10_000 } },
      },
    },
  },
  (request, reply) => {
    reply.status(201);
    const { taskId } = request.params;
    return orThrow(work.comment(headOf(request), { taskId, body: request.body.body }));
  },
);

const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`Server listening at ${address}\n`);

async function orThrow(result: Promise<object | null>): Promise<object> {
  const body = await result;
  if (body === null) throw new Error('Refused');
  return body;
}

function headOf({ headers }: FastifyRequest): Head {
  return {
    authorization: headers.authorization,
    organizationId: String(headers['x-organization-id']),
  };
}
