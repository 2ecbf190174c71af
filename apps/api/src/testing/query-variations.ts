import type { EndpointMetadata } from '@atelier/contract';
import { z } from 'zod';

export type Query = Readonly<Record<string, string | number | boolean>>;

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly format?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

const jsonSchemaOf = (schema: z.ZodType) =>
  // zod's output has this shape.
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

/** An enumeration of more values says what a column has, in one statement for all; see `examples` for exceptions. */
const maxEnumerated = 30;

/** Values of parameters that their schema does not enumerate, or at too great a length. */
const examples: Readonly<Record<string, readonly (string | number)[]>> = {
  // The second is shown to its actor only.
  action: ['collection.create', 'collection.favorite'],
  event: ['collection.create', 'webhook.ping'],
  page: [1, 2],
  limit: [1],
  version: [1],
  frameRate: [25],
  type: ['application/', 'image/'],
  names: ['nothing', 'a.bin/b.bin'],
  tags: ['nothing', 'logo', 'logo,rare 7'],
  types: ['task', 'comment,asset'],
  createdBy: ['me'],
  // A cursor of another list; tested separately.
  cursor: [],
};

/**
 * Generates query variations: each value of each parameter separately, and again in
 * the widest scope. Excludes ids.
 *
 * @param words - search terms
 */
export function queryVariations(query: unknown, words: readonly string[]): Query[] {
  if (!(query instanceof z.ZodType)) return [];
  const { properties = {}, $defs = {} } = jsonSchemaOf(query);
  const single = Object.entries(properties).flatMap(([name, schema]) =>
    valuesOf(name, resolved(schema, $defs), words).map((value): Query => ({ [name]: value })),
  );
  if (!('scope' in properties)) return single;
  return single.flatMap((one) => [one, { scope: 'organization', ...one }]);
}

function valuesOf(
  name: string,
  schema: JsonSchema,
  words: readonly string[],
): readonly (string | number | boolean)[] {
  if (schema.enum && schema.enum.length <= maxEnumerated) return schema.enum;
  if (schema.type === 'boolean') return [true, false];
  if (name === 'q') return words;
  const options = [schema, ...(schema.anyOf ?? [])];
  if (options.some(({ format }) => format === 'date-time')) return ['2020-01-01', '2100-01-01'];
  if (name.endsWith('Id')) return options.flatMap((option) => option.const ?? []);
  const known = examples[name];
  if (!known) throw new Error(`no value to try for the query parameter ${name}`);
  return known;
}

function resolved(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>) {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (definitions[name] ?? schema);
}

/** Returns the places of an operation's input that take an id, as `params.id`, `query.actorId`, `body.key`. */
export function idPlacesOf(endpoint: {
  readonly pathParams?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly metadata: Pick<EndpointMetadata, 'targets'>;
}): string[] {
  const places = Object.entries({
    params: endpoint.pathParams,
    query: endpoint.query,
    body: endpoint.body,
  }).flatMap(([where, schema]) =>
    schema instanceof z.ZodType ? propertiesOf(schema).map((name) => `${where}.${name}`) : [],
  );
  const named = places.filter((place) => /\.(?:id|key)$|Ids?$/.test(place));
  // In a union of bodies, not all places are found by their names.
  return [...new Set([...named, ...Object.keys(endpoint.metadata.targets)])];
}

function propertiesOf(schema: z.ZodType): string[] {
  const whole = jsonSchemaOf(schema);
  const definitions = whole.$defs ?? {};
  return [whole, ...(whole.anyOf ?? [])].flatMap((option) =>
    Object.keys(resolved(option, definitions).properties ?? {}),
  );
}
