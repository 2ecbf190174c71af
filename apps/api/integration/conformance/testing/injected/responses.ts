import {
  changingResponse,
  errorInstead,
  fieldsOf,
  changingData,
  respondingInstead,
  recordIn,
  changingErrors,
  changingBody,
  success,
  withBody,
  withHeader,
  withoutHeader,
  withStatus,
} from '../fault-builders.ts';
import type { InjectedFault } from './injected-fault.ts';

const readCollection = 'read.responds:collections.get';
const readPlans = 'read.responds:plans.list';

/** Responses that violate a rule of every response. */
export const responseFaults: readonly InjectedFault[] = [
  {
    bug: 'fails for an unknown id',
    check: 'resource.unknown-id:collections.get',
    rule: 'response.no-server-error',
    fault: () =>
      changingErrors('collections.get', (response) => errorInstead(response, 'internal_error')),
  },
  {
    bug: 'omits a field',
    check: readCollection,
    rule: 'response.schema',
    fault: () => changingData('collections.get', ({ title: _, ...data }) => data),
  },
  {
    bug: 'returns a time in another zone',
    check: readCollection,
    rule: 'response.schema',
    fault: () =>
      changingData('collections.get', (data) => ({
        ...data,
        createdAt: '2026-11-21T10:30:00.000+01:00',
      })),
  },
  {
    bug: 'returns a number as text',
    check: readCollection,
    rule: 'response.schema',
    fault: () => changingData('collections.get', (data) => ({ ...data, assetCount: '1' })),
  },
  {
    bug: 'responds with an undeclared status',
    check: readPlans,
    rule: 'response.declared-status',
    fault: () => changingResponse('plans.list', (response) => withStatus(response, 203)),
  },
  {
    bug: 'deletes with 204',
    check: 'collection.life',
    rule: 'response.declared-status',
    fault: () => changingResponse('collections.remove', (response) => withStatus(response, 204)),
  },
  {
    bug: 'has another message in the envelope',
    check: readPlans,
    rule: 'response.envelope-text',
    fault: () => changingBody('plans.list', (body) => ({ ...body, message: 'OK' })),
  },
  {
    bug: 'has a message where the envelope has none',
    check: 'read.responds:auth.user',
    rule: 'response.envelope',
    fault: () => changingBody('auth.user', (body) => ({ ...body, message: 'User retrieved' })),
  },
  {
    bug: 'returns errors as a page of HTML',
    check: 'resource.unknown-id:tasks.get',
    rule: 'response.content-type',
    fault: () =>
      changingErrors('tasks.get', ({ headers, status }) => {
        const page = new Response('<h1>Not found</h1>', { status, headers });
        return withHeader(page, 'content-type', 'text/html');
      }),
  },
  {
    bug: 'declares JSON as plain text',
    check: readPlans,
    rule: 'response.content-type',
    fault: () =>
      changingResponse('plans.list', (response) =>
        withHeader(response, 'content-type', 'text/plain'),
      ),
  },
  {
    bug: 'has an error code of its own',
    check: 'resource.unknown-id:projects.get',
    rule: 'response.error-code',
    fault: () =>
      changingErrors('projects.get', (response) =>
        withBody(response, (body) => ({ ...body, code: 'nothing_here' })),
      ),
  },
  {
    bug: 'has a code that belongs to another status',
    check: 'resource.unknown-id:projects.get',
    rule: 'response.error-code',
    fault: () =>
      changingErrors('projects.get', (response) => errorInstead(response, 'conflict', 404)),
  },
  {
    bug: 'has a code that the operation does not declare',
    check: 'resource.unknown-id:projects.get',
    rule: 'response.error-code',
    fault: () =>
      changingErrors('projects.get', (response) =>
        errorInstead(response, 'provider_not_configured'),
      ),
  },
  {
    bug: 'has another shape of errors',
    check: 'resource.unknown-id:projects.get',
    rule: 'response.error-shape',
    fault: () =>
      changingErrors('projects.get', (response) =>
        withBody(response, ({ message }) => ({ error: { message } })),
      ),
  },
  {
    bug: 'adds fields to errors',
    check: 'resource.unknown-id:projects.get',
    rule: 'response.error-shape',
    fault: () =>
      changingErrors('projects.get', (response) =>
        withBody(response, (body) => ({ ...body, details: 'no row' })),
      ),
  },
  {
    bug: 'exposes a stack trace',
    check: 'resource.unknown-id:projects.get',
    rule: 'response.no-secret',
    fault: () =>
      changingErrors('projects.get', (response) =>
        withBody(response, (body) => ({
          ...body,
          message: 'Error: no row\n    at find (/srv/app/projects.ts:12:7)',
        })),
      ),
  },
  {
    bug: 'exposes the hash of a password',
    check: 'read.responds:auth.user',
    rule: 'response.no-secret',
    fault: () =>
      changingData('auth.user', (data) => ({ ...data, passwordHash: '$argon2id$v=19$' })),
  },
  {
    bug: 'repeats a password in an error',
    check: 'login.texts',
    rule: 'response.no-secret',
    fault: () =>
      changingErrors('auth.login', (response, request) =>
        withBody(response, (body) => ({
          ...body,
          message: `Wrong password ${String(fieldsOf(request)['password'])}`,
        })),
      ),
  },
  {
    bug: 'has no request id',
    check: readPlans,
    rule: 'response.request-id',
    fault: () =>
      changingResponse('plans.list', (response) => withoutHeader(response, 'x-request-id')),
  },
  {
    bug: "does not keep the client's request id",
    check: 'request-id.kept',
    rule: 'response.request-id',
    fault: () =>
      changingResponse('health.live', (response) =>
        withHeader(response, 'x-request-id', 'another'),
      ),
  },
  {
    bug: 'has another request id in the error than in the header',
    check: 'resource.unknown-id:projects.get',
    rule: 'response.request-id',
    fault: () =>
      changingErrors('projects.get', (response) => withHeader(response, 'x-request-id', 'another')),
  },
  {
    bug: 'lets responses be cached',
    check: readCollection,
    rule: 'response.cache-control',
    fault: () =>
      changingResponse('collections.get', (response) =>
        withHeader(response, 'cache-control', 'public, max-age=60'),
      ),
  },
  {
    bug: 'responds with 401 without a challenge',
    check: 'authentication.none:tasks.list',
    rule: 'response.www-authenticate',
    fault: () =>
      changingErrors('tasks.list', (response) => withoutHeader(response, 'www-authenticate')),
  },
  {
    bug: 'responds with 429 without Retry-After',
    check: readPlans,
    rule: 'response.retry-after',
    fault: () =>
      changingResponse('plans.list', (response) => errorInstead(response, 'rate_limited')),
  },
  {
    bug: 'has no ETag',
    check: readCollection,
    rule: 'response.etag',
    fault: () => changingResponse('collections.get', (response) => withoutHeader(response, 'etag')),
  },
  {
    bug: 'streams unknown messages',
    check: 'read.responds:events.subscribe',
    rule: 'response.stream-message',
    fault: () =>
      respondingInstead('events.subscribe', () =>
        withHeader(
          new Response('event: hello\ndata: {}\n\nevent: ready\ndata: {}\n\n', success({})),
          'content-type',
          'text/event-stream',
        ),
      ),
  },
  {
    bug: 'hangs up',
    check: readPlans,
    rule: 'response.connection',
    fault: () =>
      changingResponse('plans.list', () => {
        throw new Error('the proxy closes the connection');
      }),
  },
  {
    bug: 'does not implement an operation',
    check: readPlans,
    rule: 'operation.available',
    fault: () =>
      changingResponse('plans.list', (response) => {
        const { headers } = response;
        const body = JSON.stringify({ message: 'Not implemented', code: 'not_implemented' });
        return new Response(body, { status: 501, headers });
      }),
  },
  {
    bug: 'returns no data for a deletion',
    check: 'asset.life',
    rule: 'response.schema',
    fault: () =>
      changingBody('assets.remove', ({ message }) => ({ message, data: recordIn(null) })),
  },
];
