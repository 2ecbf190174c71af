import {
  operationById,
  tagKeyOf,
  tagKeysIn,
  type FilterRule,
  type Operation,
  type SortKey,
} from '@atelier/contract';
import { z } from 'zod';
import { MockFailure } from '../failure.ts';
import { base64urlOf, digestOf, textIn } from '../hash.ts';
import type { Call } from './model.ts';
import { listedBy, unwrapped, type Described } from './kinds.ts';
import { present } from './present.ts';
import { isRecord, type Fields } from './store.ts';

interface Page {
  readonly items: readonly Fields[];
  readonly pagination: Fields;
}

/** Responds to a list as its rules in the contract say. @throws MockFailure for a cursor of another list */
export function pageOf(call: Call, listed: Described): Page {
  const { operation, input } = call;
  const rules = operation.endpoint.metadata.list;
  if (!rules) throw new Error(`${operation.id} is no list`);
  const { limit: asked, page = 1, cursor, sort } = input.query;
  const limit = Number(asked);
  const keys = (typeof sort === 'string' ? rules.sorts[sort] : undefined) ?? rules.defaultOrder;
  const ordering = { keys, schema: listed.schema, ranks: ranksOf(call, keys) };
  const items = sorted(itemsOf(call, listed), ordering);
  const list = `${operation.id} ${String(sort)} ${Object.values(input.params).join()}`;
  const start =
    typeof cursor === 'string'
      ? indexAfter(items, positionIn(call, { list, cursor }), ordering)
      : (Number(page) - 1) * limit;
  const end = start + limit;
  const hasNext = end < items.length;
  const last = items[end - 1];
  return {
    items: items.slice(start, end),
    pagination: {
      page: Number(page),
      limit,
      total: items.length,
      totalPages: Math.ceil(items.length / limit),
      hasNext,
      ...(hasNext &&
        last &&
        rules.hasCursor && { nextCursor: cursorAfter(call, list, positionOf(last, ordering)) }),
    },
  };
}

/** Returns every item that the caller may see and that matches the filters, in no order. */
function itemsOf(call: Call, { kind, schema }: Described): Fields[] {
  const { state, operation, input, caller, session } = call;
  const { store, features } = state;
  const { isListed = isOfCall } = features.kind(kind);
  const records = 'deletedAt' in schema.shape ? store.binned(kind) : store.all(kind);
  const view = { state, callerId: caller?.id ?? null, sessionId: session?.id ?? null };
  const filters = Object.entries(operation.endpoint.metadata.list?.filters ?? {});
  return records
    .filter((record) => isListed(record, call) && isBelow(record.fields, input.params))
    .map((record) => {
      const shown = present(record, view, schema);
      // Filters may be about fields that no response has.
      return { shown, all: { ...record.fields, ...shown } };
    })
    .filter(({ all }) =>
      filters.every(([name, rule]) => matches(call, rule, { item: all, value: input.query[name] })),
    )
    .map(({ shown }) => shown);
}

function isOfCall(
  { organizationId, ownerId }: { organizationId: string | null; ownerId: string | null },
  { operation, organization, caller }: Call,
): boolean {
  if (operation.endpoint.metadata.access.kind === 'public') return true;
  return organization ? organizationId === organization.id : ownerId === caller?.id;
}

/** A list below a record has what refers to it. */
function isBelow(fields: Fields, params: Readonly<Record<string, string>>): boolean {
  return Object.entries(params).every(
    ([name, value]) => name === 'id' || !(name in fields) || fields[name] === value,
  );
}

function matches(
  { caller }: Call,
  { comparison, fields }: FilterRule,
  { item, value }: { item: Fields; value: unknown },
): boolean {
  if (value === undefined) return true;
  const wanted = value === 'me' && comparison === 'equal' ? (caller?.id ?? '') : asText(value);
  const values = fields
    .flatMap((field) => valuesAt(item, field))
    .filter((one) => one !== null && one !== undefined)
    .map(String);
  switch (comparison) {
    case 'equal':
      return values.includes(wanted);
    case 'oneOf':
      return values.some((one) => wanted.split('/').includes(one));
    case 'allOf':
      return tagKeysIn(wanted).every((key) => values.map(tagKeyOf).includes(key));
    case 'contains':
      return values.some((one) => one.toLowerCase().includes(wanted.toLowerCase()));
    case 'startsWith':
      return values.some((one) => one.startsWith(wanted));
    case 'before':
      return values.some((one) => Date.parse(one) < Date.parse(wanted));
    case 'notBefore':
      return values.some((one) => Date.parse(one) >= Date.parse(wanted));
    case 'scope':
      return wanted === 'organization' || values.includes(caller?.id ?? '');
  }
}

/** Returns the values at a path such as `actor.id`; a list on the way has those of all its members. */
function valuesAt(item: unknown, path: string): unknown[] {
  const [name = '', ...rest] = path.split('.');
  const value = isRecord(item) ? item[name] : undefined;
  const members: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (rest.length === 0) return [...members];
  return members.flatMap((member) => valuesAt(member, rest.join('.')));
}

interface Ordering {
  readonly keys: readonly SortKey[];
  readonly schema: z.ZodObject;
  /** Ranks of ids in the default order of another list, by the operation of that list. */
  readonly ranks: ReadonlyMap<string, ReadonlyMap<unknown, number>>;
}

function ranksOf(call: Call, keys: readonly SortKey[]): Ordering['ranks'] {
  const lists = keys.flatMap(({ asIn }) => (asIn === null ? [] : [asIn]));
  return new Map(lists.map((id) => [id, idsInOrder(call, operationById(id))]));
}

function idsInOrder(call: Call, operation: Operation): ReadonlyMap<unknown, number> {
  const listed = listedBy(operation);
  if (!listed) throw new Error(`${operation.id} lists no records`);
  const keys = operation.endpoint.metadata.list?.defaultOrder ?? [];
  const whole = { ...call, operation, input: { params: {}, query: {}, body: undefined } };
  const ordering = { keys, schema: listed.schema, ranks: new Map() };
  const items = sorted(itemsOf(whole, listed), ordering);
  return new Map(items.map(({ id }, rank) => [id, rank]));
}

/** The values that an item is sorted by, by their paths: of a whole item, a cursor would be too long to be sent. */
type Position = Fields;

function positionOf(item: Fields, { keys }: Ordering): Position {
  return Object.fromEntries(keys.map(({ field }) => [field, valuesAt(item, field)[0]]));
}

function sorted(items: readonly Fields[], ordering: Ordering): Fields[] {
  return items.toSorted((a, b) =>
    compare(positionOf(a, ordering), positionOf(b, ordering), ordering),
  );
}

function compare(a: Position, b: Position, ordering: Ordering): number {
  for (const key of ordering.keys) {
    const left = sortValueOf(a[key.field], key, ordering);
    const right = sortValueOf(b[key.field], key, ordering);
    if (left === right) continue;
    // Null comes last in both directions.
    if (left === null) return 1;
    if (right === null) return -1;
    return left < right === (key.direction === 'ascending') ? -1 : 1;
  }
  return 0;
}

/** Values that are filtered and sorted by are text, numbers and booleans. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function sortValueOf(
  value: unknown,
  { field, asIn }: SortKey,
  { schema, ranks }: Ordering,
): number | string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return value;
  if (asIn !== null) return ranks.get(asIn)?.get(value) ?? -1;
  const options = optionsAt(schema, field);
  const text = asText(value);
  return options ? options.indexOf(text) : text.toLowerCase();
}

/** Returns the values of the enumeration at a path, in order; null if there is none. */
function optionsAt(schema: unknown, path: string): readonly string[] | null {
  const inner = unwrapped(schema);
  if (path === '') return inner instanceof z.ZodEnum ? inner.options.map(String) : null;
  const [name = '', ...rest] = path.split('.');
  return inner instanceof z.ZodObject ? optionsAt(inner.shape[name], rest.join('.')) : null;
}

/** A cursor holds the position of the last item, so that it stays where it is when items are added or deleted. */
export function cursorAfter({ state }: Call, list: string, position: Fields): string {
  const text = JSON.stringify(position);
  return base64urlOf(`${digestOf(`${state.seed} ${list} ${text}`)}${text}`);
}

export function positionIn(
  { state }: Call,
  { list, cursor }: { list: string; cursor: string },
): Fields {
  const decoded = textIn(cursor) ?? '';
  const text = decoded.slice(32);
  if (digestOf(`${state.seed} ${list} ${text}`) === decoded.slice(0, 32)) {
    return JSON.parse(text) as Fields;
  }
  throw invalidCursor();
}

export function invalidCursor(): MockFailure {
  const message = 'Invalid cursor: pass nextCursor of the page before, with the same sort';
  return new MockFailure('validation_failed', {
    errors: [{ in: 'query', path: ['cursor'], code: 'invalid_cursor', message }],
  });
}

function indexAfter(items: readonly Fields[], last: Position, ordering: Ordering): number {
  const index = items.findIndex((item) => compare(positionOf(item, ordering), last, ordering) > 0);
  return index === -1 ? items.length : index;
}
