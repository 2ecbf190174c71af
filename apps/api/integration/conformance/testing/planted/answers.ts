import {
  answering,
  errorInstead,
  fieldsOf,
  giving,
  insteadOf,
  recordIn,
  refusing,
  saying,
  success,
  withBody,
  withHeader,
  withoutHeader,
  withStatus,
} from '../faults.ts';
import type { PlantedBug } from './planted-bug.ts';

const readCollection = 'read.answers:collections.get';
const readPlans = 'read.answers:plans.list';

/** Answers that break a rule of every answer. */
export const wrongAnswers: readonly PlantedBug[] = [
  {
    bug: 'fails where there is nothing',
    check: 'resource.unknown-id:collections.get',
    rule: 'answer.no-server-error',
    fault: () => refusing('collections.get', (answer) => errorInstead(answer, 'internal_error')),
  },
  {
    bug: 'leaves a field out',
    check: readCollection,
    rule: 'answer.schema',
    fault: () => giving('collections.get', ({ title: _, ...data }) => data),
  },
  {
    bug: 'says a time of another zone',
    check: readCollection,
    rule: 'answer.schema',
    fault: () =>
      giving('collections.get', (data) => ({
        ...data,
        createdAt: '2026-11-21T10:30:00.000+01:00',
      })),
  },
  {
    bug: 'says a number as text',
    check: readCollection,
    rule: 'answer.schema',
    fault: () => giving('collections.get', (data) => ({ ...data, assetCount: '1' })),
  },
  {
    bug: 'answers with a status that is not declared',
    check: readPlans,
    rule: 'answer.declared-status',
    fault: () => answering('plans.list', (answer) => withStatus(answer, 203)),
  },
  {
    bug: 'deletes with 204',
    check: 'collection.life',
    rule: 'answer.declared-status',
    fault: () => answering('collections.remove', (answer) => withStatus(answer, 204)),
  },
  {
    bug: 'has another text in the envelope',
    check: readPlans,
    rule: 'answer.envelope-text',
    fault: () => saying('plans.list', (body) => ({ ...body, message: 'OK' })),
  },
  {
    bug: 'has a text where the envelope has none',
    check: 'read.answers:auth.user',
    rule: 'answer.envelope',
    fault: () => saying('auth.user', (body) => ({ ...body, message: 'User retrieved' })),
  },
  {
    bug: 'answers errors as a page of HTML',
    check: 'resource.unknown-id:tasks.get',
    rule: 'answer.content-type',
    fault: () =>
      refusing('tasks.get', ({ headers, status }) => {
        const page = new Response('<h1>Not found</h1>', { status, headers });
        return withHeader(page, 'content-type', 'text/html');
      }),
  },
  {
    bug: 'calls JSON plain text',
    check: readPlans,
    rule: 'answer.content-type',
    fault: () =>
      answering('plans.list', (answer) => withHeader(answer, 'content-type', 'text/plain')),
  },
  {
    bug: 'has an error code of its own',
    check: 'resource.unknown-id:projects.get',
    rule: 'answer.error-code',
    fault: () =>
      refusing('projects.get', (answer) =>
        withBody(answer, (body) => ({ ...body, code: 'nothing_here' })),
      ),
  },
  {
    bug: 'has a code that belongs to another status',
    check: 'resource.unknown-id:projects.get',
    rule: 'answer.error-code',
    fault: () => refusing('projects.get', (answer) => errorInstead(answer, 'conflict', 404)),
  },
  {
    bug: 'has a code that the operation does not declare',
    check: 'resource.unknown-id:projects.get',
    rule: 'answer.error-code',
    fault: () =>
      refusing('projects.get', (answer) => errorInstead(answer, 'provider_not_configured')),
  },
  {
    bug: 'has another shape of errors',
    check: 'resource.unknown-id:projects.get',
    rule: 'answer.error-shape',
    fault: () =>
      refusing('projects.get', (answer) =>
        withBody(answer, ({ message }) => ({ error: { message } })),
      ),
  },
  {
    bug: 'says more in errors than the contract',
    check: 'resource.unknown-id:projects.get',
    rule: 'answer.error-shape',
    fault: () =>
      refusing('projects.get', (answer) =>
        withBody(answer, (body) => ({ ...body, details: 'no row' })),
      ),
  },
  {
    bug: 'shows a stack trace',
    check: 'resource.unknown-id:projects.get',
    rule: 'answer.no-secret',
    fault: () =>
      refusing('projects.get', (answer) =>
        withBody(answer, (body) => ({
          ...body,
          message: 'Error: no row\n    at find (/srv/app/projects.ts:12:7)',
        })),
      ),
  },
  {
    bug: 'shows the hash of a password',
    check: 'read.answers:auth.user',
    rule: 'answer.no-secret',
    fault: () => giving('auth.user', (data) => ({ ...data, passwordHash: '$argon2id$v=19$' })),
  },
  {
    bug: 'repeats a password in an error',
    check: 'login.texts',
    rule: 'answer.no-secret',
    fault: () =>
      refusing('auth.login', (answer, call) =>
        withBody(answer, (body) => ({
          ...body,
          message: `Wrong password ${String(fieldsOf(call)['password'])}`,
        })),
      ),
  },
  {
    bug: 'has no request id',
    check: readPlans,
    rule: 'answer.request-id',
    fault: () => answering('plans.list', (answer) => withoutHeader(answer, 'x-request-id')),
  },
  {
    bug: "does not keep the caller's request id",
    check: 'request-id.kept',
    rule: 'answer.request-id',
    fault: () =>
      answering('health.live', (answer) => withHeader(answer, 'x-request-id', 'another')),
  },
  {
    bug: 'names another request in the error than in the header',
    check: 'resource.unknown-id:projects.get',
    rule: 'answer.request-id',
    fault: () =>
      refusing('projects.get', (answer) => withHeader(answer, 'x-request-id', 'another')),
  },
  {
    bug: 'lets answers be cached',
    check: readCollection,
    rule: 'answer.cache-control',
    fault: () =>
      answering('collections.get', (answer) =>
        withHeader(answer, 'cache-control', 'public, max-age=60'),
      ),
  },
  {
    bug: 'refuses without a challenge',
    check: 'authentication.none:tasks.list',
    rule: 'answer.www-authenticate',
    fault: () => refusing('tasks.list', (answer) => withoutHeader(answer, 'www-authenticate')),
  },
  {
    bug: 'limits without saying when to come back',
    check: readPlans,
    rule: 'answer.retry-after',
    fault: () => answering('plans.list', (answer) => errorInstead(answer, 'rate_limited')),
  },
  {
    bug: 'has no ETag',
    check: readCollection,
    rule: 'answer.etag',
    fault: () => answering('collections.get', (answer) => withoutHeader(answer, 'etag')),
  },
  {
    bug: 'streams what the contract does not know',
    check: 'read.answers:events.subscribe',
    rule: 'answer.stream-message',
    fault: () =>
      insteadOf('events.subscribe', () =>
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
    rule: 'answer.connection',
    fault: () =>
      answering('plans.list', () => {
        throw new Error('the proxy closes the connection');
      }),
  },
  {
    bug: 'has an operation that is not built',
    check: readPlans,
    rule: 'operation.available',
    fault: () =>
      answering('plans.list', (answer) => {
        const { headers } = answer;
        const body = JSON.stringify({ message: 'Not implemented', code: 'not_implemented' });
        return new Response(body, { status: 501, headers });
      }),
  },
  {
    bug: 'answers a deletion with nothing in it',
    check: 'asset.life',
    rule: 'operation.succeeds',
    fault: () => saying('assets.remove', ({ message }) => ({ message, data: recordIn(null) })),
  },
];
