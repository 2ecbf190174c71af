import type { Operation } from '@atelier/contract';
import { z } from 'zod';
import { invalid } from './failure.ts';
import { base64urlOf, textIn } from './hash.ts';
import { randomFor } from './random.ts';
import type { Input } from './requests.ts';
import { successSchemaOf, resolvedSchema, type Schema } from './schemas.ts';
import { valueOf } from './values.ts';

/** What generated data depends on. */
export interface MockContext {
  readonly seed: number;
  readonly baseUrl: string;
}

/** Generates the body of a success: the same for the same seed, operation, path and input. */
export function successBody(context: MockContext, operation: Operation, input: Input): unknown {
  const schema = successSchemaOf(operation.id);
  const { body: declared, message } = operation.endpoint.metadata.success;
  if (!schema || !declared) return null;
  const { data } = resolvedSchema(schema).properties ?? {};
  const page = data && resolvedSchema(data).properties?.['pagination'];
  const place = [context.seed, operation.id, ...Object.values(input.params)];
  const value =
    data && valueOf({ ...context, random: randomFor(...place) }, { name: 'data', schema: data });
  const generated: unknown = page
    ? { ...(value as object), ...pageOf(context, { operation, input, item: itemOf(data), place }) }
    : value;
  const frame = message === null ? null : { message };
  const whole = { ...frame, data: withEchoes(generated, fieldsToEcho(operation, input)) };
  if (declared.safeParse(whole).success) return data ? whole : frame;
  // A field of the input means something else here; the schema matters more than the echo.
  return data ? { ...frame, data: generated } : frame;
}

function itemOf(page: Schema): Schema {
  return resolvedSchema(resolvedSchema(page).properties?.['items'] ?? {}).items ?? {};
}

interface PageRequest {
  readonly operation: Operation;
  readonly input: Input;
  readonly item: Schema;
  readonly place: readonly (string | number)[];
}

/** Generates one page of a list, whose items keep their positions by page and by cursor. */
function pageOf(context: MockContext, { operation, input, item, place }: PageRequest) {
  const { limit: given, page: asked, cursor } = input.query;
  const limit = typeof given === 'number' ? given : 20;
  const total = randomFor(...place, 'total').integer(23, 64);
  const isCursorList = takesCursor(operation);
  const offset =
    typeof cursor === 'string'
      ? offsetOf(cursor)
      : ((typeof asked === 'number' ? asked : 1) - 1) * limit;
  const end = Math.min(total, offset + limit);
  const hasNext = end < total;
  const fields = fieldsToEcho(operation, input);
  const items = Array.from({ length: Math.max(0, end - offset) }, (_, index) => {
    const random = randomFor(...place, 'item', offset + index);
    return withEchoes(valueOf({ ...context, random }, { name: 'item', schema: item }), fields);
  });
  return {
    items,
    pagination: {
      page: Math.floor(offset / limit) + 1,
      limit,
      total,
      totalPages: Math.ceil(total / limit),
      hasNext,
      ...(hasNext && isCursorList && { nextCursor: cursorAt(end) }),
    },
  };
}

function takesCursor({ endpoint }: Operation): boolean {
  return endpoint.query instanceof z.ZodObject && 'cursor' in endpoint.query.shape;
}

function cursorAt(offset: number): string {
  return base64urlOf(`offset ${offset}`);
}

function offsetOf(cursor: string): number {
  const offset = /^offset (\d{1,6})$/.exec(textIn(cursor) ?? '')?.[1];
  if (offset === undefined) throw invalid('query', 'cursor', 'Invalid cursor');
  return Number(offset);
}

/** Returns the fields that a response repeats: ids of the path and fields of the body. */
function fieldsToEcho({ endpoint }: Operation, { params, body }: Input): Record<string, unknown> {
  const names = Object.keys(params);
  const last = names.at(-1);
  const isAboutLast =
    endpoint.path.endsWith(`:${last ?? ''}`) || ['PATCH', 'DELETE'].includes(endpoint.method);
  return {
    ...(typeof body === 'object' && body !== null ? body : {}),
    ...params,
    ...(last !== undefined && isAboutLast ? { id: params[last] } : { id: undefined }),
  };
}

/** Replaces the fields of a value that are given and of the same type. */
function withEchoes(value: unknown, fields: Readonly<Record<string, unknown>>): unknown {
  if (typeof value !== 'object' || value === null || 'items' in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, generated]: [string, unknown]) => {
      const given = fields[name];
      return [name, given !== undefined && isAlike(given, generated) ? given : generated];
    }),
  );
}

function isAlike(one: unknown, other: unknown): boolean {
  return (
    other === null || (typeof one === typeof other && Array.isArray(one) === Array.isArray(other))
  );
}
