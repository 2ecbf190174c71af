import { operations, type Operation } from '@atelier/contract';
import type { z } from 'zod';
import type { CheckContext } from '../check.ts';
import { Abandoned } from '../findings.ts';
import type { Probe } from '../probe.ts';
import { paramNamesOf } from '../request-schemas.ts';
import { itemCount } from './expectations.ts';
import type { KnownList } from './fixtures.ts';
import { itemSchemaOf, keyOf, type Item } from './items.ts';
import type { ReadPage } from './pages.ts';

/** Expects a list to have what the kit created. */
export function expectContents(
  probe: Probe,
  { response, items }: ReadPage,
  contents: KnownList['contents'],
): void {
  if (contents === null) return;
  if (typeof contents === 'number') {
    probe.expect({
      rule: 'list.items',
      response,
      holds: items.length === contents,
      expected: itemCount(contents),
      actual: itemCount(items.length),
    });
    return;
  }
  const keys = items.map(keyOf);
  const wrong = [
    ...contents.filter((id) => !keys.includes(id)).map((id) => `no ${id}, which was created`),
    ...keys
      .filter((id) => !contents.includes(id))
      .map((id) => `${id}, which does not belong there`),
  ];
  probe.expect({
    rule: 'list.items',
    response,
    holds: wrong.length === 0,
    expected: `the ${itemCount(contents.length)} created`,
    actual: wrong.slice(0, 3).join('; '),
  });
}

/** Items of a list that are read one by one. */
const maxReads = 3;

/** Expects items to be the same when they are read one by one, where the contract has such an operation. */
export async function expectSameAsRead(
  { probe }: CheckContext,
  { operation, itemSchema, request }: KnownList,
  { response, items }: ReadPage,
): Promise<void> {
  const reading = readingOf(operation);
  // The last one is the id of the item; those before it are the list's own.
  const name = reading ? paramNamesOf(reading).at(-1) : undefined;
  if (!reading || name === undefined) return;
  for (const item of items.slice(0, maxReads)) {
    const { query: _, ...options } = request;
    const params = { ...request.params, [name]: keyOf(item) };
    const read = await probe.request(reading.id, { ...options, params });
    const parsed = reading.endpoint.metadata.success.data?.safeParse(dataOf(read.json));
    if (!parsed?.success) {
      throw new Abandoned(
        `${reading.id} of the listed ${keyOf(item)} responds with ${read.status}`,
      );
    }
    const truth = parsed.data as Item;
    const differing = stableFieldsOf(itemSchema).filter(
      (field) => JSON.stringify(item[field]) !== JSON.stringify(truth[field]),
    );
    const shown = (source: Item) =>
      differing.map((field) => `${field} ${JSON.stringify(source[field])}`).join(', ');
    probe.expect({
      rule: 'list.fields',
      response,
      holds: differing.length === 0,
      expected: `item ${keyOf(item)} as ${reading.id} has it: ${shown(truth)}`,
      actual: shown(item),
    });
  }
}

function dataOf(json: unknown): unknown {
  return (json as { data?: unknown } | undefined)?.data;
}

/** Returns the operation that reads one item of a list by its id, if there is one. */
export function readingOf(list: Operation): Operation | undefined {
  const itemSchema = itemSchemaOf(list);
  const reading = operations.find(
    ({ endpoint }) => endpoint.method === 'GET' && endpoint.metadata.success.data === itemSchema,
  );
  return reading && reading.id !== list.id && paramNamesOf(reading).length > 0
    ? reading
    : undefined;
}

/** Fields that the service neither signs for each response nor fills in later. */
function stableFieldsOf(itemSchema: z.ZodObject): string[] {
  return Object.entries(itemSchema.shape)
    .filter(([, field]) => {
      const meta = (field as z.ZodType).meta() ?? {};
      return meta['x-presigned'] !== true && meta['x-derived'] !== true;
    })
    .map(([name]) => name);
}
