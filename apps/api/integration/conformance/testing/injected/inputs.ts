import { randomUUID } from 'node:crypto';
import {
  changingResponse,
  changingRequest,
  errorInstead,
  fieldsOf,
  changingData,
  recordIn,
  changingErrors,
  withBody,
  withFields,
  withHeader,
  withoutRequestHeader,
  withoutHeader,
  withQuery,
} from '../fault-builders.ts';
import type { Fault, ProxiedRequest } from '../faulty-proxy.ts';
import type { InjectedFault } from './injected-fault.ts';

const createCollection = 'input.body:collections.create';

/** Corrects the title before the service sees it. */
function correctingTitle(correct: (title: unknown) => unknown): Fault {
  return changingRequest('collections.create', (request) => {
    const { title } = fieldsOf(request);
    const corrected = correct(title);
    return corrected === title
      ? request
      : withFields(request, (fields) => ({ ...fields, title: corrected }));
  });
}

function limitOf({ path, origin }: ProxiedRequest): number {
  return Number(new URL(path, origin).searchParams.get('limit'));
}

/** Faults in reading inputs, methods, pages and conditions. */
export const inputFaults: readonly InjectedFault[] = [
  {
    bug: 'invents a missing required field',
    check: createCollection,
    rule: 'input.body',
    fault: () => correctingTitle((title) => title ?? 'Untitled'),
  },
  {
    bug: 'accepts a number for text',
    check: createCollection,
    rule: 'input.body',
    fault: () => correctingTitle((title) => (typeof title === 'number' ? String(title) : title)),
  },
  {
    bug: 'truncates text that is too long',
    check: createCollection,
    rule: 'input.body',
    fault: () =>
      correctingTitle((title) => (typeof title === 'string' ? title.slice(0, 120) : title)),
  },
  {
    bug: 'stores NUL',
    check: createCollection,
    rule: 'input.body',
    fault: () =>
      correctingTitle((title) => (typeof title === 'string' ? title.replaceAll('\0', '') : title)),
  },
  {
    bug: 'does not name the invalid part',
    check: createCollection,
    rule: 'input.body',
    fault: () =>
      changingErrors('collections.create', (response) =>
        withBody(response, ({ errors: _, ...body }) => body),
      ),
  },
  {
    bug: 'accepts a negative limit',
    check: 'input.query:collections.list',
    rule: 'input.query',
    fault: () =>
      changingRequest('collections.list', (request) =>
        withQuery(request, (query) => {
          if (query.get('limit')?.startsWith('-')) query.delete('limit');
        }),
      ),
  },
  {
    bug: 'accepts an unlimited limit',
    check: 'input.query:collections.list',
    rule: 'input.query',
    fault: () =>
      changingRequest('collections.list', (request) =>
        withQuery(request, (query) => {
          if (Number(query.get('limit')) > 100) query.set('limit', '100');
        }),
      ),
  },
  {
    bug: 'looks up malformed ids',
    check: 'input.path:collections.get',
    rule: 'input.path',
    fault: () =>
      changingErrors('collections.get', (response) => errorInstead(response, 'not_found')),
  },
  {
    bug: 'ignores a malformed x-organization-id',
    check: 'input.header:collections.list',
    rule: 'input.header',
    fault: () =>
      changingRequest('collections.list', (request) =>
        withoutRequestHeader(request, 'x-organization-id'),
      ),
  },
  {
    bug: 'fails for a body that is not JSON',
    check: 'input.malformed-json:collections.create',
    rule: 'input.malformed-json',
    fault: () =>
      changingErrors('collections.create', (response) => errorInstead(response, 'internal_error')),
  },
  {
    bug: 'accepts forms',
    check: 'input.media-type:collections.create',
    rule: 'input.media-type',
    fault: () =>
      changingErrors('collections.create', (response) =>
        errorInstead(response, 'validation_failed'),
      ),
  },
  {
    bug: 'accepts bodies of any size',
    check: 'input.too-large:collections.create',
    rule: 'input.too-large',
    fault: () =>
      changingRequest('collections.create', (request) =>
        withFields(request, () => ({ title: 'Not so long' })),
      ),
  },
  {
    bug: 'responds with 404 to an unsupported method',
    check: 'method.unsupported:/api/collections',
    rule: 'method.unsupported',
    fault: () => async (request, forward) => {
      const response = await forward(request);
      return response.status === 405 ? errorInstead(response, 'route_not_found') : response;
    },
  },
  {
    bug: 'does not list the supported methods',
    check: 'method.unsupported:/api/collections',
    rule: 'method.unsupported',
    fault: () => async (request, forward) => withoutHeader(await forward(request), 'allow'),
  },
  {
    bug: 'returns a page for every path',
    check: 'method.unknown-path',
    rule: 'method.unknown-path',
    fault: () => async (request, forward) => {
      if (request.operation !== null) return forward(request);
      return withHeader(new Response('<div id="app">'), 'content-type', 'text/html');
    },
  },
  {
    bug: 'ignores the limit',
    check: 'list.limit:timeline.mine',
    rule: 'list.limit',
    fault: () => async (request, forward) => {
      const whole = withQuery(request, (query) => query.set('limit', '100'));
      return changingData('timeline.mine', (data) => ({
        ...data,
        pagination: { ...recordIn(data['pagination']), limit: limitOf(request) },
      }))(whole, forward);
    },
  },
  {
    bug: 'returns wrong totals',
    check: 'list.limit:collections.list',
    rule: 'list.total',
    fault: () =>
      changingData('collections.list', (data) => ({
        ...data,
        pagination: { ...recordIn(data['pagination']), total: 0, totalPages: 5 },
      })),
  },
  {
    bug: 'ignores the cursor',
    check: 'list.cursor:timeline.mine',
    rule: 'list.pages',
    fault: () =>
      changingRequest('timeline.mine', (request) =>
        withQuery(request, (query) => query.delete('cursor')),
      ),
  },
  {
    bug: 'has a next page without its cursor',
    check: 'list.cursor:timeline.mine',
    rule: 'list.cursor',
    fault: () =>
      changingData('timeline.mine', (data) => {
        const { nextCursor: _, ...pagination } = recordIn(data['pagination']);
        return { ...data, pagination };
      }),
  },
  {
    bug: 'accepts any cursor',
    check: 'list.forged-cursor:timeline.mine',
    rule: 'list.forged-cursor',
    fault: () =>
      changingRequest('timeline.mine', (request) =>
        withQuery(request, (query) => query.delete('cursor')),
      ),
  },
  {
    bug: 'ignores If-Match',
    check: 'condition.if-match:projects.update',
    rule: 'condition.if-match',
    fault: () =>
      changingRequest('projects.update', (request) => withoutRequestHeader(request, 'if-match')),
  },
  {
    bug: 'ignores If-None-Match',
    check: 'condition.if-none-match:tasks.get',
    rule: 'condition.if-none-match',
    fault: () =>
      changingRequest('tasks.get', (request) => withoutRequestHeader(request, 'if-none-match')),
  },
  {
    bug: 'responds with 304 to any If-None-Match',
    check: 'condition.if-none-match:tasks.get',
    rule: 'condition.if-none-match',
    fault: () =>
      changingResponse('tasks.get', (response, { headers }) =>
        'if-none-match' in headers
          ? new Response(null, { status: 304, headers: response.headers })
          : response,
      ),
  },
  {
    bug: 'ignores the idempotency key',
    check: 'idempotency.replay:collections.create',
    rule: 'idempotency.replay',
    fault: () =>
      changingRequest('collections.create', (request) =>
        withoutRequestHeader(request, 'idempotency-key'),
      ),
  },
  {
    bug: 'accepts a key for two different requests',
    check: 'idempotency.replay:collections.create',
    rule: 'idempotency.reused',
    fault: () => async (request, forward) => {
      const response = await forward(request);
      if (response.status !== 422) return response;
      return forward({
        ...request,
        headers: { ...request.headers, 'idempotency-key': randomUUID() },
      });
    },
  },
];
