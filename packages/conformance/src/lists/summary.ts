import { operationById } from '@atelier/contract';
import { operationCheck, type Check, type CheckContext } from '../check.ts';
import { NotRun } from '../findings.ts';
import { querySchemaOf } from '../request-schemas.ts';
import { queryFieldOf, type KnownList } from './fixtures.ts';
import type { Item } from './items.ts';
import { matches } from './oracle.ts';
import { withQuery } from './pages.ts';
import { valuesToTry } from './values.ts';

const timeline = operationById('timeline.list');
const summary = operationById('timeline.summary');

/** The summary counts what the timeline lists, under each filter that both have. */
export const summaryChecks: readonly Check[] = [
  operationCheck('list.summary', summary.id, {
    title:
      'timeline.summary counts what timeline.list has, by action and by day, under each filter',
    run: async (context) => {
      const list = await context.fixtures.lists(timeline, context.probe);
      if (!list.isWhole) throw new NotRun('needs the fixtures of the full profile');
      await expectSummary(context, list, { query: {}, items: list.items });
      for (const name of filterNames()) await checkFilter(context, list, name);
    },
  }),
];

function filterNames(): string[] {
  const query = querySchemaOf(summary);
  return query && 'shape' in query ? Object.keys(query.shape as object) : [];
}

async function checkFilter(context: CheckContext, list: KnownList, name: string): Promise<void> {
  const rule = list.rules.filters[name];
  if (!rule)
    throw new Error(`timeline.list has no filter ${name}, so nothing says what it compares`);
  const { items, callerId } = list;
  const filtering = { rule, schema: queryFieldOf(timeline, name), items, callerId };
  for (const value of valuesToTry(filtering, context.random)) {
    await expectSummary(context, list, {
      query: { [name]: value },
      items: items.filter((item) => matches(rule, item, { value, callerId })),
    });
  }
}

async function expectSummary(
  { probe }: CheckContext,
  { request }: KnownList,
  { query, items }: { query: Readonly<Record<string, string>>; items: readonly Item[] },
): Promise<void> {
  const response = await probe.request(summary.id, withQuery(request, query));
  const { byAction, byDay, total } = probe.dataIn('timeline.summary', response);
  const expected = {
    total: items.length,
    ...countBy(items.map(({ action }) => String(action))),
    ...countBy(items.map(({ createdAt }) => String(createdAt).slice(0, 10))),
  };
  const days = Object.fromEntries(byDay.map(({ day, count }) => [day, count]));
  const actual = { total, ...byAction, ...days };
  const none = Object.fromEntries(Object.keys(actual).map((name) => [name, 0]));
  probe.expectFields({
    rule: 'list.summary',
    response,
    actual,
    expected: { ...none, ...expected },
  });
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
