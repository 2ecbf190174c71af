import { errorCatalogue, type EndpointMetadata, type ErrorCode } from '@atelier/contract';
import { DrizzleQueryError } from 'drizzle-orm';
import { fastify, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { Failure } from '../kernel/errors.ts';
import { createLog } from '../log.ts';
import { respondWithErrors } from './error-handler.ts';

let app: FastifyInstance;
afterEach(() => app.close());

/** A server with one operation that declares `not_found` and throws an error of the test. */
async function responseTo(error: unknown) {
  const lines: string[] = [];
  const loggerInstance: FastifyBaseLogger = createLog('info', {
    write: (line: string) => void lines.push(line),
  });
  app = fastify({ loggerInstance });
  respondWithErrors(app);
  const metadata: Partial<EndpointMetadata> = { errors: ['not_found'], toleratesAnyBody: false };
  app.get('/', { config: { tsRestRoute: { metadata } } }, async () => {
    throw error;
  });
  const response = await app.inject('/');
  return {
    status: response.statusCode,
    body: response.json<Record<string, unknown>>(),
    log: lines.join(''),
  };
}

describe('an error', () => {
  test('that the operation declares is sent as it is', async () => {
    const { status, body } = await responseTo(new Failure('not_found'));
    expect([status, body]).toEqual([
      404,
      { message: 'Not found', code: 'not_found', requestId: expect.any(String) },
    ]);
  });

  test('that the operation does not declare is a defect', async () => {
    const { status, body, log } = await responseTo(new Failure('last_owner'));
    expect([status, body['code']]).toEqual([500, 'internal_error']);
    expect(log).toContain('a code it does not declare');
  });

  test.each([
    ['an error', new Error('select * from users where password = secret')],
    ['an error with a cause', new Error('outer', { cause: new Error('/srv/app/key.pem') })],
    ['a string', 'thrown'],
    ['undefined', undefined],
    ['an object', { statusCode: 418, message: 'teapot' }],
  ])('%s, thrown unexpectedly, leaks nothing', async (_, error) => {
    const { status, body } = await responseTo(error);
    expect([status, body]).toEqual([
      500,
      {
        message: errorCatalogue.internal_error.message,
        code: 'internal_error',
        requestId: expect.any(String),
      },
    ]);
  });

  test('of the database is logged without the parameters of its statement', async () => {
    const error = new Error('Failed query: select 1 where x = $1\nparams: hunter2,second', {
      cause: Object.assign(new Error('boom'), { code: 'XX000', parameters: ['hunter2'] }),
    });
    const { status, log } = await responseTo(error);
    expect(status).toBe(500);
    expect(log).toContain('select 1 where x = $1');
    expect(log).toContain('XX000');
    expect(log).not.toContain('hunter2');
    expect(log).not.toContain('second');
  });

  test('of the database is logged without parameters that have lines of a stack trace', async () => {
    const content =
      'hunter1\n    at f (a.js:1)\nhunter2\nparams: hunter3\n    at g (b.js:1)\nhunter4';
    const failed = new DrizzleQueryError('select $1, $2', [content, 'hunter5'], new Error('boom'));
    const { status, log } = await responseTo(new Error('outer', { cause: failed }));
    expect(status).toBe(500);
    expect(log).toContain('select $1, $2');
    expect(log).toContain('error-handler.test.ts');
    expect(log).not.toContain('hunter');
    expect(log).not.toContain('a.js');
  });

  test.each<[string, string]>([
    ['CONNECTION_CLOSED', 'a connection that was cut'],
    ['ECONNREFUSED', 'a server that is away'],
    ['EHOSTUNREACH', 'a machine that is away'],
    ['ENETUNREACH', 'a network that is away'],
    ['EAI_AGAIN', 'a resolver that is away'],
    ['EMFILE', 'no descriptor for a connection'],
    ['57P01', 'a server that shuts down'],
    ['53300', 'a server with too many connections'],
    ['57014', 'a statement that took too long'],
    ['40P01', 'a deadlock'],
  ])('with the code %s (%s) is a retryable 503', async (code) => {
    const { status, body } = await responseTo(
      new Error('Failed query', { cause: Object.assign(new Error(code), { code }) }),
    );
    expect([status, body['code']]).toEqual([503, 'service_unavailable' satisfies ErrorCode]);
  });

  test.each([
    'could not commit transaction for shard 102017 on at least one active node',
    'failure on connection marked as essential: 10.0.0.7:5432',
    'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
    'could not receive data from server: Connection reset by peer',
    'no connection to the server',
    'postmaster was shut down, exiting',
  ])('of Citus, that a server went away, is a retryable 503: %s', async (message) => {
    const cause = Object.assign(new Error(message), { code: 'XX000' });
    const { status, body } = await responseTo(new Error('Failed query', { cause }));
    expect([status, body['code']]).toEqual([503, 'service_unavailable' satisfies ErrorCode]);
  });
});
