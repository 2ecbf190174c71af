import { operations, Pagination, type Operation } from '@atelier/contract';
import { z } from 'zod';
import { operationCheck, type Check, type CheckContext } from '../check.ts';
import type { ReceivedResponse, RequestOptions } from '../deployment.ts';
import { isRecord } from '../response-rules.ts';
import { querySchemaOf } from '../request-schemas.ts';
import { validRequest } from '../valid-requests.ts';

const Page = z.object({
  data: z.object({ items: z.array(z.unknown()), pagination: Pagination }),
});

/** Operations that need more than the fixtures. */
const notFromFixtures = new Set(['auth.verifyToken']);

const readChecks: readonly Check[] = operations
  .filter(({ id, endpoint }) => {
    const { success } = endpoint.metadata;
    return endpoint.method === 'GET' && success.status === 200 && !notFromFixtures.has(id);
  })
  .map((operation) =>
    operationCheck('read.responds', operation.id, {
      title: `${operation.id} responds as declared, twice the same way`,
      run: async ({ probe, fixtures }) => {
        const request = validRequest(operation, fixtures);
        await probe.succeed(operation.id, request);
        await probe.succeed(operation.id, request);
      },
    }),
  );

/** Maximum number of pages read of a list. */
const maxPages = 30;

const listChecks: readonly Check[] = operations
  .filter((operation) => operation.endpoint.method === 'GET' && accepts(operation, { limit: '1' }))
  .flatMap((operation) => [
    operationCheck('list.limit', operation.id, {
      title: `${operation.id} keeps the limit and counts correctly`,
      run: (context) => walkByPage(context, operation),
    }),
    ...(accepts(operation, { cursor: 'x' }) ? cursorChecks(operation) : []),
  ]);

function cursorChecks(operation: Operation): Check[] {
  return [
    operationCheck('list.cursor', operation.id, {
      title: `${operation.id} returns each item once across pages by cursor`,
      run: (context) => walkByCursor(context, operation),
    }),
    operationCheck('list.forged-cursor', operation.id, {
      title: `${operation.id} rejects a forged cursor`,
      run: (context) => forge(context, operation),
    }),
  ];
}

function accepts(operation: Operation, query: Record<string, string>): boolean {
  const schema = querySchemaOf(operation);
  if (!schema) return false;
  const parsed = schema.safeParse(query);
  return Object.keys(query).every((name) => isRecord(parsed.data) && name in parsed.data);
}

/** Reads a list by page number. Items may repeat: an added item shifts the others. */
async function walkByPage(context: CheckContext, operation: Operation): Promise<void> {
  const open = pageReader(context, operation, 'list.limit');
  for (let number = 1; number <= maxPages; number += 1) {
    const { pagination } = await open({ page: String(number) });
    if (!pagination.hasNext) return;
  }
}

async function walkByCursor(context: CheckContext, operation: Operation): Promise<void> {
  const rule = 'list.cursor';
  const open = pageReader(context, operation, rule);
  const seen = new Set<string>();
  let step: { cursor?: string } = {};
  for (let number = 1; number <= maxPages; number += 1) {
    const { response, items, pagination } = await open(step);
    const names = items.map(nameOf);
    context.probe.require({
      rule,
      response,
      holds: names.every((name) => !seen.has(name)),
      expected: 'every item once',
      actual: `page ${number} repeats an item`,
    });
    for (const name of names) seen.add(name);
    if (!pagination.hasNext) return;
    const { nextCursor } = pagination;
    context.probe.require({
      rule,
      response,
      holds: nextCursor !== undefined,
      expected: 'nextCursor while hasNext',
    });
    step = nextCursor === undefined ? {} : { cursor: nextCursor };
  }
}

type OpenedPage = z.infer<typeof Page>['data'] & { readonly response: ReceivedResponse };

/** Returns a function that reads a page of two items and checks its totals. */
function pageReader({ probe, fixtures }: CheckContext, operation: Operation, rule: string) {
  const request = validRequest(operation, fixtures);
  return async (step: Record<string, string>): Promise<OpenedPage> => {
    const query = { ...request.query, limit: '2', ...step };
    const response = await probe.request(operation.id, { ...request, query });
    const body = Page.safeParse(response.json);
    probe.require({ rule, response, holds: body.success, expected: 'a page of the list' });
    if (!body.success) throw body.error;
    const { items, pagination } = body.data.data;
    const { limit, total, totalPages } = pagination;
    probe.expect({
      rule,
      response,
      holds: items.length <= 2 && limit === 2,
      expected: 'at most 2 items and limit 2',
      actual: `${items.length} items and limit ${limit}`,
    });
    probe.expect({
      rule,
      response,
      holds: totalPages === Math.ceil(total / limit) && total >= items.length,
      expected: 'total and totalPages that agree',
      actual: `total ${total}, totalPages ${totalPages}, ${items.length} items`,
    });
    return { response, items, pagination };
  };
}

async function forge({ probe, fixtures }: CheckContext, operation: Operation): Promise<void> {
  const request: RequestOptions = validRequest(operation, fixtures);
  const cursors = ['x', 'eyJpZCI6IjEifQ', Buffer.from('{"id":"1"}').toString('base64url')];
  for (const cursor of cursors) {
    const response = await probe.request(operation.id, {
      ...request,
      query: { ...request.query, cursor },
    });
    probe.expectRefusal('list.forged-cursor', response, 'validation_failed');
  }
}

function nameOf(item: unknown): string {
  const named = z.object({ id: z.string() }).safeParse(item);
  return named.success ? named.data.id : JSON.stringify(item);
}

export const readingChecks: readonly Check[] = [...readChecks, ...listChecks];
