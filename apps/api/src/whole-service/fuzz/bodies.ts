import fc, { type Arbitrary } from 'fast-check';
import { hostileJson, hostileText, objectOf, resolved, type JsonSchema } from './hostile-values.ts';

/**
 * Generates bodies that almost match a schema: a valid body with one hostile field, with all of them, with a duplicate
 * key, too deep, too large, truncated, and bytes that are not text.
 *
 * @param valid - a body that the operation accepts; undefined if it takes none
 */
export function hostileBody(schema: JsonSchema, valid: unknown): Arbitrary<Uint8Array> {
  const text = fc.oneof(
    { weight: 5, arbitrary: oneFieldHostile(schema, valid) },
    { weight: 3, arbitrary: hostileJson(schema) },
    { weight: 1, arbitrary: fc.constantFrom(...brokenJson) },
    { weight: 1, arbitrary: hostileText() },
  );
  const bytes = text.map((json) => Buffer.from(json));
  return fc.oneof(
    { weight: 10, arbitrary: bytes },
    {
      weight: 1,
      arbitrary: fc
        .tuple(bytes, fc.double({ min: 0, max: 1, noNaN: true }))
        .map(([whole, share]) => whole.subarray(0, Math.floor(whole.length * share))),
    },
    { weight: 1, arbitrary: fc.tuple(bytes, fc.constantFrom(...badBytes)).map(spliced) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }) },
  );
}

/** Varies the valid body: one field hostile, missing or duplicate, or an unknown field. */
function oneFieldHostile(schema: JsonSchema, valid: unknown): Arbitrary<string> {
  const definitions = schema.$defs ?? {};
  const whole = resolved(schema, definitions);
  const entries = Object.entries((valid ?? {}) as Record<string, unknown>).map(
    ([name, value]) => [name, JSON.stringify(value)] as const,
  );
  const properties = propertiesOf(whole, definitions);
  if (properties.length === 0) return hostileJson(schema);
  return fc.constantFrom(...properties).chain(([name, property]) => {
    const others = entries.filter(([key]) => key !== name);
    const first = entries.find(([key]) => key === name);
    const field = hostileJson(property, definitions);
    return fc.oneof(
      { weight: 6, arbitrary: field.map((json) => objectOf([...others, [name, json]])) },
      { weight: 1, arbitrary: fc.constant(objectOf(others)) },
      {
        weight: 1,
        arbitrary: field.map((json) =>
          objectOf([...others, [name, json], ...(first ? [first] : [[name, json] as const])]),
        ),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('__proto__', 'constructor', 'id', 'role', 'organizationId'), field)
          .map(([key, json]) => objectOf([...entries, [key, json]])),
      },
    );
  });
}

function propertiesOf(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): [string, JsonSchema][] {
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  return [
    ...Object.entries(schema.properties ?? {}),
    ...options.flatMap((option) => propertiesOf(resolved(option, definitions), definitions)),
  ];
}

const nested = (open: string, close: string, levels: number) =>
  open.repeat(levels) + close.repeat(levels);

const brokenJson = [
  '',
  ' ',
  '\ufeff{}',
  '\ufeff\ufeff{}',
  '{',
  '{"a":1,}',
  "{'a':1}",
  '{a:1}',
  '{}{}',
  '{} //',
  'NaN',
  'undefined',
  '01',
  '+1',
  '"\\x41"',
  '"\\ud800"',
  '"\t"',
  '["\\u0000"]',
  nested('[', ']', 63),
  nested('[', ']', 64),
  nested('[', ']', 65),
  nested('{"a":', '}', 64),
  '['.repeat(50_000),
  nested('[', ']', 50_000),
  '{"a":'.repeat(50_000),
  `"${'x'.repeat(256 * 1024 - 2)}"`,
  `"${'x'.repeat(256 * 1024 - 1)}"`,
  `"${'x'.repeat(3 * 1024 * 1024)}"`,
  `{${Array.from({ length: 10_000 }, (_, index) => `"k${index}":${index}`).join(',')}}`,
  `{${'"a":1,'.repeat(10_000)}"a":2}`,
  `[${'"",'.repeat(60_000)}""]`,
  `{"${'k'.repeat(100_000)}":1}`,
];

/** Invalid UTF-8: a lone continuation, an overlong slash, a surrogate, one beyond Unicode, UTF-16. */
const badBytes = [
  [0x80],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xff, 0xfe],
  [0x00],
];

function spliced([whole, bad]: readonly [Buffer, readonly number[]]): Uint8Array {
  const middle = Math.floor(whole.length / 2);
  return Buffer.concat([whole.subarray(0, middle), Buffer.from(bad), whole.subarray(middle)]);
}
