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
      run: (scene) => walkByPage(scene, operation),
    }),
    ...(accepts(operation, { cursor: 'x' }) ? cursorChecks(operation) : []),
  ]);

function cursorChecks(operation: Operation): Check[] {
  return [
    operationCheck('list.cursor', operation.id, {
      title: `${operation.id} goes through its pages by cursor, each item once`,
      run: (scene) => walkByCursor(scene, operation),
    }),
    operationCheck('list.forged-cursor', operation.id, {
      title: `${operation.id} refuses a forged cursor`,
      run: (scene) => forge(scene, operation),
    }),
  ];
}

function accepts(operation: Operation, query: Record<string, string>): boolean {
  const schema = querySchemaOf(operation);
  if (!schema) return false;
  const parsed = schema.safeParse(query);
  return Object.keys(query).every((name) => isRecord(parsed.data) && name in parsed.data);
}

/** Items may repeat: whatever is added meanwhile moves the rest along. */
async function walkByPage(scene: Scene, operation: Operation): Promise<void> {
  const open = opener(scene, operation, 'list.limit');
  for (let number = 1; number <= mostPages; number += 1) {
    const { pagination } = await open({ page: String(number) });
    if (!pagination.hasNext) return;
  }
}

async function walkByCursor(scene: Scene, operation: Operation): Promise<void> {
  const rule = 'list.cursor';
  const open = opener(scene, operation, rule);
  const seen = new Set<string>();
  let step: { cursor?: string } = {};
  for (let number = 1; number <= mostPages; number += 1) {
    const { answer, items, pagination } = await open(step);
    const names = items.map(nameOf);
    scene.probe.require({
      rule,
      answer,
      holds: names.every((name) => !seen.has(name)),
      expected: 'every item once',
      actual: `page ${number} repeats an item`,
    });
    for (const name of names) seen.add(name);
    if (!pagination.hasNext) return;
    const { nextCursor } = pagination;
    scene.probe.require({
      rule,
      answer,
      holds: nextCursor !== undefined,
      expected: 'nextCursor while hasNext',
    });
    step = nextCursor === undefined ? {} : { cursor: nextCursor };
  }
}

type OpenedPage = z.infer<typeof Page>['data'] & { readonly answer: Answer };

/** Opens pages of two items and looks whether each agrees with itself. */
function opener({ probe, world }: Scene, operation: Operation, rule: string) {
  const request = validRequest(operation, world);
  return async (step: Record<string, string>): Promise<OpenedPage> => {
    const query = { ...request.query, limit: '2', ...step };
    const answer = await probe.call(operation.id, { ...request, query });
    const body = Page.safeParse(answer.json);
    probe.require({ rule, answer, holds: body.success, expected: 'a page of the list' });
    if (!body.success) throw body.error;
    const { items, pagination } = body.data.data;
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
    return { answer, items, pagination };
  };
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
