import { randomUUID } from 'node:crypto';
import {
  answering,
  asking,
  errorInstead,
  fieldsOf,
  giving,
  recordIn,
  refusing,
  withBody,
  withFields,
  withHeader,
  withoutCallHeader,
  withoutHeader,
  withQuery,
} from '../faults.ts';
import type { Fault } from '../faulty-proxy.ts';
import type { PlantedBug } from './planted-bug.ts';

const createCollection = 'input.body:collections.create';

/** The title is put right before anybody looks at it. */
function mending(mend: (title: unknown) => unknown): Fault {
  return asking('collections.create', (call) => {
    const { title } = fieldsOf(call);
    const mended = mend(title);
    return mended === title ? call : withFields(call, (fields) => ({ ...fields, title: mended }));
  });
}

/** Inputs, methods, pages and conditions that are read wrongly. */
export const wrongReadings: readonly PlantedBug[] = [
  {
    bug: 'makes up what is required',
    check: createCollection,
    rule: 'input.body',
    fault: () => mending((title) => title ?? 'Untitled'),
  },
  {
    bug: 'takes a number for text',
    check: createCollection,
    rule: 'input.body',
    fault: () => mending((title) => (typeof title === 'number' ? String(title) : title)),
  },
  {
    bug: 'cuts text that is too long',
    check: createCollection,
    rule: 'input.body',
    fault: () => mending((title) => (typeof title === 'string' ? title.slice(0, 120) : title)),
  },
  {
    bug: 'stores NUL',
    check: createCollection,
    rule: 'input.body',
    fault: () =>
      mending((title) => (typeof title === 'string' ? title.replaceAll('\0', '') : title)),
  },
  {
    bug: 'does not say what is wrong',
    check: createCollection,
    rule: 'input.body',
    fault: () =>
      refusing('collections.create', (answer) =>
        withBody(answer, ({ errors: _, ...body }) => body),
      ),
  },
  {
    bug: 'accepts a negative limit',
    check: 'input.query:collections.list',
    rule: 'input.query',
    fault: () =>
      asking('collections.list', (call) =>
        withQuery(call, (query) => {
          if (query.get('limit')?.startsWith('-')) query.delete('limit');
        }),
      ),
  },
  {
    bug: 'accepts a limit without end',
    check: 'input.query:collections.list',
    rule: 'input.query',
    fault: () =>
      asking('collections.list', (call) =>
        withQuery(call, (query) => {
          if (Number(query.get('limit')) > 100) query.set('limit', '100');
        }),
      ),
  },
  {
    bug: 'looks for ids that are none',
    check: 'input.path:collections.get',
    rule: 'input.path',
    fault: () => refusing('collections.get', (answer) => errorInstead(answer, 'not_found')),
  },
  {
    bug: 'does not read a malformed x-organization-id',
    check: 'input.header:collections.list',
    rule: 'input.header',
    fault: () => asking('collections.list', (call) => withoutCallHeader(call, 'x-organization-id')),
  },
  {
    bug: 'fails at a body that is no JSON',
    check: 'input.malformed-json:collections.create',
    rule: 'input.malformed-json',
    fault: () => refusing('collections.create', (answer) => errorInstead(answer, 'internal_error')),
  },
  {
    bug: 'takes forms',
    check: 'input.media-type:collections.create',
    rule: 'input.media-type',
    fault: () =>
      refusing('collections.create', (answer) => errorInstead(answer, 'validation_failed')),
  },
  {
    bug: 'reads bodies of any size',
    check: 'input.too-large:collections.create',
    rule: 'input.too-large',
    fault: () =>
      asking('collections.create', (call) => withFields(call, () => ({ title: 'Not so long' }))),
  },
  {
    bug: 'does not know what a path can do',
    check: 'method.unsupported:/api/collections',
    rule: 'method.unsupported',
    fault: () => async (call, ask) => {
      const answer = await ask(call);
      return answer.status === 405 ? errorInstead(answer, 'route_not_found') : answer;
    },
  },
  {
    bug: 'does not say what a path can do',
    check: 'method.unsupported:/api/collections',
    rule: 'method.unsupported',
    fault: () => async (call, ask) => withoutHeader(await ask(call), 'allow'),
  },
  {
    bug: 'answers every path with a page',
    check: 'method.unknown-path',
    rule: 'method.unknown-path',
    fault: () => async (call, ask) => {
      if (call.operation !== null) return ask(call);
      return withHeader(new Response('<div id="app">'), 'content-type', 'text/html');
    },
  },
  {
    bug: 'does not look at the limit',
    check: 'list.limit:timeline.mine',
    rule: 'list.limit',
    fault: () => async (call, ask) => {
      const whole = withQuery(call, (query) => query.set('limit', '100'));
      return giving('timeline.mine', (data) => ({
        ...data,
        pagination: { ...recordIn(data['pagination']), limit: 2 },
      }))(whole, ask);
    },
  },
  {
    bug: 'counts wrong',
    check: 'list.limit:collections.list',
    rule: 'list.limit',
    fault: () =>
      giving('collections.list', (data) => ({
        ...data,
        pagination: { ...recordIn(data['pagination']), total: 0, totalPages: 5 },
      })),
  },
  {
    bug: 'goes in circles',
    check: 'list.cursor:timeline.mine',
    rule: 'list.cursor',
    fault: () =>
      asking('timeline.mine', (call) => withQuery(call, (query) => query.delete('cursor'))),
  },
  {
    bug: 'says that there is more, and not where',
    check: 'list.cursor:timeline.mine',
    rule: 'list.cursor',
    fault: () =>
      giving('timeline.mine', (data) => {
        const { nextCursor: _, ...pagination } = recordIn(data['pagination']);
        return { ...data, pagination };
      }),
  },
  {
    bug: 'takes any cursor',
    check: 'list.forged-cursor:timeline.mine',
    rule: 'list.forged-cursor',
    fault: () =>
      asking('timeline.mine', (call) => withQuery(call, (query) => query.delete('cursor'))),
  },
  {
    bug: 'changes another state than the caller saw',
    check: 'condition.if-match:projects.update',
    rule: 'condition.if-match',
    fault: () => asking('projects.update', (call) => withoutCallHeader(call, 'if-match')),
  },
  {
    bug: 'sends again what has not changed',
    check: 'condition.if-none-match:tasks.get',
    rule: 'condition.if-none-match',
    fault: () => asking('tasks.get', (call) => withoutCallHeader(call, 'if-none-match')),
  },
  {
    bug: 'says that nothing changed, whatever the caller has',
    check: 'condition.if-none-match:tasks.get',
    rule: 'condition.if-none-match',
    fault: () =>
      answering('tasks.get', (answer, { headers }) =>
        'if-none-match' in headers
          ? new Response(null, { status: 304, headers: answer.headers })
          : answer,
      ),
  },
  {
    bug: 'does not know a repeated key',
    check: 'idempotency.replay:collections.create',
    rule: 'idempotency.replay',
    fault: () => asking('collections.create', (call) => withoutCallHeader(call, 'idempotency-key')),
  },
  {
    bug: 'takes a key for two different things',
    check: 'idempotency.replay:collections.create',
    rule: 'idempotency.reused',
    fault: () => async (call, ask) => {
      const answer = await ask(call);
      if (answer.status !== 422) return answer;
      return ask({ ...call, headers: { ...call.headers, 'idempotency-key': randomUUID() } });
    },
  },
];
