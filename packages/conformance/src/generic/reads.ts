import { operations, Pagination, type Operation } from '@atelier/contract';
import { z } from 'zod';
import { operationCheck, type Check, type Scene } from '../check.ts';
import type { Answer, CallOptions } from '../deployment.ts';
import { isRecord } from '../standing.ts';
import { querySchemaOf, validRequest } from '../valid-requests.ts';

const Page = z.object({
  data: z.object({ items: z.array(z.unknown()), pagination: Pagination }),
});

/** What needs more than the shared things to be read. */
const readElsewhere = new Set(['auth.verifyToken']);

const readChecks: readonly Check[] = operations
  .filter(({ id, endpoint }) => {
    const { success } = endpoint.metadata;
    return endpoint.method === 'GET' && success.status === 200 && !readElsewhere.has(id);
  })
  .map((operation) =>
    operationCheck('read.answers', operation.id, {
      title: `${operation.id} answers what it should, twice the same way`,
      run: async ({ probe, world }) => {
        const request = validRequest(operation, world);
        await probe.succeed(operation.id, request);
        await probe.succeed(operation.id, request);
      },
    }),
  );

/** Most pages that a walk through a list opens. */
const mostPages = 30;

const listChecks: readonly Check[] = operations
  .filter((operation) => operation.endpoint.method === 'GET' && accepts(operation, { limit: '1' }))
  .flatMap((operation) => [
    operationCheck('list.limit', operation.id, {
      title: `${operation.id} gives no more than the limit, and counts right`,
      run: (scene) => walk(scene, operation, 'list.limit', (page) => ({ page: String(page) })),
    }),
    ...(accepts(operation, { cursor: 'x' })
      ? [
          operationCheck('list.cursor', operation.id, {
            title: `${operation.id} goes through its pages by cursor, each item once`,
            run: (scene: Scene) =>
              walk(scene, operation, 'list.cursor', (_page, cursor) =>
                cursor === undefined ? {} : { cursor },
              ),
          }),
          operationCheck('list.forged-cursor', operation.id, {
            title: `${operation.id} refuses a forged cursor`,
            run: (scene: Scene) => forge(scene, operation),
          }),
        ]
      : []),
  ]);

function accepts(operation: Operation, query: Record<string, string>): boolean {
  const schema = querySchemaOf(operation);
  if (!schema) return false;
  const parsed = schema.safeParse(query);
  return Object.keys(query).every((name) => isRecord(parsed.data) && name in parsed.data);
}

async function walk(
  { probe, world }: Scene,
  operation: Operation,
  rule: string,
  step: (page: number, cursor: string | undefined) => Record<string, string>,
): Promise<void> {
  const request = validRequest(operation, world);
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { ...request.query, limit: '2', ...step(page, cursor) };
    const answer = await probe.call(operation.id, { ...request, query });
    const body = Page.safeParse(answer.json);
    if (!body.success) {
      probe.expect({ rule, answer, holds: false, expected: 'a page of the list' });
      return;
    }
    const { items, pagination } = body.data.data;
    expectPage({ probe, answer, rule }, { items, pagination });
    for (const item of items) {
      const name = nameOf(item);
      probe.expect({
        rule,
        answer,
        // By page number, whatever is added meanwhile moves the rest along.
        holds: rule !== 'list.cursor' || !seen.has(name),
        expected: 'every item once',
        actual: `page ${page} repeats an item`,
      });
      if (rule === 'list.cursor' && seen.has(name)) return;
      seen.add(name);
    }
    cursor = pagination.nextCursor;
    if (!pagination.hasNext) return;
    if (rule === 'list.cursor' && cursor === undefined) {
      probe.expect({ rule, answer, holds: false, expected: 'nextCursor while hasNext' });
      return;
    }
  }
}

function expectPage(
  { probe, answer, rule }: { probe: Scene['probe']; answer: Answer; rule: string },
  { items, pagination }: z.infer<typeof Page>['data'],
): void {
  const { limit, total, totalPages } = pagination;
  probe.expect({
    rule,
    answer,
    holds: items.length <= 2 && limit === 2,
    expected: 'at most 2 items and limit 2',
    actual: `${items.length} items and limit ${limit}`,
  });
  probe.expect({
    rule,
    answer,
    holds: totalPages === Math.ceil(total / limit) && total >= items.length,
    expected: 'total and totalPages that agree',
    actual: `total ${total}, totalPages ${totalPages}, ${items.length} items`,
  });
}

async function forge({ probe, world }: Scene, operation: Operation): Promise<void> {
  const request: CallOptions = validRequest(operation, world);
  const cursors = ['x', 'eyJpZCI6IjEifQ', Buffer.from('{"id":"1"}').toString('base64url')];
  for (const cursor of cursors) {
    const answer = await probe.call(operation.id, {
      ...request,
      query: { ...request.query, cursor },
    });
    probe.expectRefusal('list.forged-cursor', answer, 'validation_failed');
  }
}

function nameOf(item: unknown): string {
  const named = z.object({ id: z.string() }).safeParse(item);
  return named.success ? named.data.id : JSON.stringify(item);
}

export const readingChecks: readonly Check[] = [...readChecks, ...listChecks];
