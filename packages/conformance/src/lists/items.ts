import type { Operation } from '@atelier/contract';
import { z } from 'zod';
import { isRecord } from '../response-rules.ts';

/** An item of a list, as the service returned it. */
export type Item = Readonly<Record<string, unknown>>;

/** Returns the schema of the items of a list. */
export function itemSchemaOf({ endpoint }: Operation): z.ZodObject {
  const { data } = endpoint.metadata.success;
  const items: unknown = data instanceof z.ZodObject ? data.shape['items'] : null;
  if (items instanceof z.ZodArray && items.element instanceof z.ZodObject) return items.element;
  throw new Error(`${endpoint.path} is no list`);
}

/** Returns the values at a path such as `actor.id`; a list on the way has the values of all its members. */
export function valuesAt(item: unknown, path: string): unknown[] {
  const [name = '', ...rest] = path.split('.');
  const value = isRecord(item) ? item[name] : undefined;
  if (rest.length === 0) return Array.isArray(value) ? value : [value];
  const members: readonly unknown[] = Array.isArray(value) ? value : [value];
  return members.flatMap((member) => valuesAt(member, rest.join('.')));
}

/** Returns the values of the enumeration at a path, in order; null if there is none. */
export function optionsAt(schema: z.ZodType, path: string): readonly string[] | null {
  if (
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault
  ) {
    return optionsAt(schema.unwrap() as z.ZodType, path);
  }
  if (schema instanceof z.ZodEnum) return path === '' ? schema.options.map(String) : null;
  const [name = '', ...rest] = path.split('.');
  const field: unknown = schema instanceof z.ZodObject ? schema.shape[name] : undefined;
  return field instanceof z.ZodType ? optionsAt(field, rest.join('.')) : null;
}

/** Returns what tells an item from the others of its list. */
export function keyOf(item: unknown): string {
  const id = isRecord(item) ? (item['id'] ?? item['versionNumber']) : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : JSON.stringify(item);
}

/** Describes an item for a report: its id, and the values that a rule is about. */
export function describeItem(item: unknown, fields: readonly string[]): string {
  const values = [...new Set(fields)]
    .filter((field) => field !== 'id')
    .map((field) => `${field} ${JSON.stringify(shown(valuesAt(item, field)))}`);
  return values.length === 0 ? keyOf(item) : `${keyOf(item)} (${values.join(', ')})`;
}

function shown(values: readonly unknown[]): unknown {
  return values.length === 1 ? values[0] : values;
}
