import fc, { type Arbitrary } from 'fast-check';
import { z } from 'zod';

/** The subset of JSON Schema that the contract's schemas use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/** Converts a schema of the contract to JSON Schema; null for non-schemas, such as ts-rest's marker for no body. */
export function jsonSchemaOf(schema: unknown): JsonSchema | null {
  if (!(schema instanceof z.ZodType)) return null;
  // zod's output has this shape.
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** Texts that are known to break parsers, queries, logs and terminals. */
const infamousTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfffy',
  '\u202etxt.exe',
  '\ufeff',
  '\u0085\u2028\u2029',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  'e\u0301'.repeat(40),
  '\r\nx-injected: yes',
  "'",
  "' OR ''='",
  "'; DROP TABLE users; --",
  '%',
  '%_%',
  '\\',
  '\\u0000',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '..\\..\\',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-0',
  '1e309',
  '0x10',
  '１２',
  '9'.repeat(400),
  '2026-02-30T25:61:61Z',
  '0000-00-00',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-19T23:59:59.999Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '019AA4F0-5C1E-7B3A-9D2F-6F1F0C7A9E42',
  'a@b',
  '"@"@example.com',
  'a'.repeat(250) + '@example.com',
  '(a+)+$'.repeat(20),
  'a'.repeat(70_000),
] as const;

const letters = fc.constantFrom('a', 'Z', '0', ' ', '\u00e9', '\u4e2d', '\u{1f600}', "'", '%');

/** Generates text of exactly this many code points. */
function textOfLength(length: number): Arbitrary<string> {
  return letters.map((letter) => letter.repeat(Math.max(0, length)));
}

/** Generates any text, mostly at the bounds of the schema and one beyond them. */
export function hostileText(schema: JsonSchema = {}): Arbitrary<string> {
  const { minLength = 1, maxLength = 255 } = schema;
  const bounds = [minLength - 1, minLength, maxLength, maxLength + 1].filter(
    (length) => length <= 30_000,
  );
  const near = [...(schema.enum ?? []), schema.const].filter((value) => typeof value === 'string');
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...infamousTexts) },
    { weight: 4, arbitrary: fc.constantFrom(...bounds).chain(textOfLength) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
    ...near.map((value) => ({
      weight: 1,
      arbitrary: fc.constantFrom(value, value.toLowerCase(), ` ${value}`, `${value}\0`),
    })),
  );
}

/** JSON of numbers at a bound, beyond it, or barely valid. */
function hostileNumber(schema: JsonSchema): Arbitrary<string> {
  const bounds = [
    schema.minimum,
    schema.maximum,
    schema.exclusiveMinimum,
    schema.exclusiveMaximum,
  ].filter((bound) => bound !== undefined);
  const near = bounds.flatMap((bound) => [bound - 1, bound, bound + 1, bound + 0.5]);
  return fc.oneof(
    fc.constantFrom(
      ...near.map(String),
      '-0',
      '-1',
      '0.1',
      '1e999',
      '-1e999',
      '1e-400',
      '9007199254740993',
      '2147483648',
      '-2147483649',
      '9223372036854775808',
      '1'.repeat(400),
    ),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.maxSafeInteger().map(String),
  );
}

const wrongTypes = fc.constantFrom(
  'null',
  'true',
  'false',
  '0',
  '""',
  '"x"',
  '[]',
  '{}',
  '[null]',
  '[[[]]]',
  '{"length":1}',
  '{"toString":1}',
  '{"valueOf":null,"toJSON":"x"}',
  '{"$ne":null}',
  '{"__proto__":{"polluted":true}}',
  '[{"constructor":{"prototype":{"polluted":true}}}]',
);

const anyJson = fc.oneof(
  { weight: 3, arbitrary: wrongTypes },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4, stringUnit: 'binary' }) },
);

/**
 * Generates JSON at the bounds of a schema and beyond them, and JSON of other types.
 *
 * @returns text, so that it can contain what no value can, such as a duplicate key
 */
export function hostileJson(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>> = schema.$defs ?? {},
): Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fitting(resolved(schema, definitions), definitions) },
    { weight: 1, arbitrary: anyJson },
  );
}

function fitting(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): Arbitrary<string> {
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (options) return fc.oneof(...options.map((option) => hostileJson(option, definitions)));
  switch (schema.type) {
    case 'string':
      return hostileText(schema).map((text) => JSON.stringify(text));
    case 'integer':
    case 'number':
      return hostileNumber(schema);
    case 'boolean':
      return fc.constantFrom('true', 'false', '"true"', '1');
    case 'array':
      return hostileArray(schema, definitions);
    case 'object':
      return hostileObject(schema, definitions);
    default:
      return anyJson;
  }
}

function hostileArray(
  { items = {}, minItems = 0, maxItems = 20 }: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): Arbitrary<string> {
  const sizes = [0, minItems - 1, minItems, 2, maxItems, maxItems + 1].filter(
    (size) => size >= 0 && size <= 10_001,
  );
  const alike = fc
    .tuple(fc.constantFrom(...sizes), hostileJson(items, definitions))
    // Many long texts would exceed the body limit, which has its own case.
    .map(([size, item]) => Array(item.length > 100 ? Math.min(size, 30) : size).fill(item));
  const mixed = fc.array(hostileJson(items, definitions), { maxLength: 4 });
  return fc.oneof(alike, mixed).map((values) => `[${values.join(',')}]`);
}

const poisonedKeys = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '');

function hostileObject(
  { properties = {} }: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): Arbitrary<string> {
  const known = Object.entries(properties).map(([name, schema]) =>
    fc.option(
      hostileJson(schema, definitions).map((json) => [name, json] as const),
      { nil: null, freq: 4 },
    ),
  );
  const unknown = fc.option(fc.tuple(poisonedKeys, anyJson), { nil: null, freq: 1 });
  return fc
    .tuple(...known, unknown)
    .map((entries) => objectOf(entries.filter((entry) => entry !== null)));
}

/** Serializes an object whose keys may repeat, in the given order. */
export function objectOf(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
}

/** Resolves a reference to its schema. */
export function resolved(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (definitions[name] ?? schema);
}
