import { z } from 'zod';
import { isRecord } from './response-rules.ts';

/** An input that violates the contract in one place. */
export interface WrongValue {
  /** What is wrong, for the report. */
  readonly what: string;
  readonly value: Record<string, unknown>;
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly $ref?: string;
}

/** Longer values would exceed the limit of the body or the URL instead. */
const longestText = 30_000;
const longestQueryText = 5_000;
const mostItems = 200;

/**
 * Derives invalid bodies from a valid one: each field in turn is missing, of the wrong type, out of bounds or
 * malformed. Keeps those that the schema rejects.
 */
export function wrongBodies(schema: z.ZodType, valid: unknown): WrongValue[] {
  if (!isRecord(valid)) return [];
  const cases = fieldsOf(schema).flatMap(({ name, field, isRequired }) => [
    ...(isRequired ? [omitted(valid, name)] : []),
    ...wrongFor(field).map(({ what, value }) => ({
      what: `${name} ${what}`,
      value: { ...valid, [name]: value },
    })),
  ]);
  return refusedBy(schema, cases);
}

/** Derives invalid queries from a valid one; every value is text. */
export function wrongQueries(schema: z.ZodType, valid: Record<string, unknown>): WrongValue[] {
  const cases = fieldsOf(schema).flatMap(({ name, field, isRequired }) => [
    ...(isRequired ? [omitted(valid, name)] : []),
    ...wrongFor(field)
      .filter(({ value }) => typeof value === 'string' || typeof value === 'number')
      .map(({ what, value }) => ({
        what: `${name} ${what}`,
        value: { ...valid, [name]: String(value) },
      }))
      // A URL can't carry a lone surrogate.
      .filter(({ value }) => {
        const text = String(value[name]);
        return text.length <= longestQueryText && !text.includes('\ud800');
      }),
  ]);
  return refusedBy(schema, cases);
}

function refusedBy(schema: z.ZodType, cases: readonly WrongValue[]): WrongValue[] {
  // As the service receives it: JSON drops undefined values.
  return cases.filter(({ value }) => !schema.safeParse(JSON.parse(JSON.stringify(value))).success);
}

function omitted(valid: Record<string, unknown>, name: string): WrongValue {
  const { [name]: _, ...value } = valid;
  return { what: `${name} omitted`, value };
}

interface Field {
  readonly name: string;
  readonly field: JsonSchema;
  readonly isRequired: boolean;
}

function fieldsOf(schema: z.ZodType): Field[] {
  const root: unknown = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const definitions = isRecord(root) && isRecord(root['$defs']) ? root['$defs'] : {};
  const resolve = (node: JsonSchema): JsonSchema => {
    const name = node.$ref?.split('/').at(-1);
    return name === undefined ? node : { ...(definitions[name] as JsonSchema), ...without(node) };
  };
  // z.toJSONSchema returns a JSON schema.
  const object = resolve(root as JsonSchema);
  const members = object.anyOf?.map(resolve) ?? [object];
  return members.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, field]) => ({
      name,
      field: resolved(field, resolve),
      isRequired: required.includes(name),
    })),
  );
}

function without({ $ref: _, ...node }: JsonSchema): JsonSchema {
  return node;
}

function resolved(node: JsonSchema, resolve: (node: JsonSchema) => JsonSchema): JsonSchema {
  const { anyOf, items, ...field } = resolve(node);
  return {
    ...field,
    ...(anyOf && { anyOf: anyOf.map((member) => resolved(member, resolve)) }),
    ...(items && { items: resolved(items, resolve) }),
  };
}

interface Candidate {
  readonly what: string;
  readonly value: unknown;
}

function wrongFor(field: JsonSchema): Candidate[] {
  const members = field.anyOf ?? [field];
  return [
    ...wrongTypes,
    ...members.flatMap((member) => [
      ...wrongText(member),
      ...wrongNumbers(member),
      ...wrongItems(member),
    ]),
  ];
}

const wrongTypes: readonly Candidate[] = [
  { what: 'as a number', value: 7 },
  { what: 'as a fraction', value: 1.5 },
  { what: 'as text', value: 'no such value' },
  { what: 'as true', value: true },
  { what: 'as null', value: null },
  { what: 'as an object', value: { a: 1 } },
  { what: 'as a list', value: [[]] },
];

function wrongText({ type, minLength = 0, maxLength }: JsonSchema): Candidate[] {
  if (type !== 'string') return [];
  return [
    { what: 'with NUL', value: 'a\0b' },
    { what: 'with a lone surrogate', value: 'a\ud800b' },
    { what: 'with an upper-case id', value: '019AA4F0-5C1E-7B3A-9D2F-6F1F0C7A9E42' },
    { what: 'empty', value: '' },
    ...(minLength > 0
      ? [{ what: `of ${minLength - 1} characters`, value: 'x'.repeat(minLength - 1) }]
      : []),
    ...(maxLength !== undefined && maxLength < longestText
      ? [{ what: `of ${maxLength + 1} characters`, value: 'x'.repeat(maxLength + 1) }]
      : []),
  ];
}

function wrongNumbers({ type, minimum, maximum }: JsonSchema): Candidate[] {
  if (type !== 'integer' && type !== 'number') return [];
  return [
    ...(minimum === undefined ? [] : [{ what: `of ${minimum - 1}`, value: minimum - 1 }]),
    ...(maximum === undefined ? [] : [{ what: `of ${maximum + 1}`, value: maximum + 1 }]),
    { what: 'of -1', value: -1 },
  ];
}

function wrongItems({ type, items, minItems, maxItems }: JsonSchema): Candidate[] {
  if (type !== 'array') return [];
  return [
    ...(minItems ? [{ what: 'empty', value: [] }] : []),
    ...(maxItems !== undefined && maxItems < mostItems
      ? [
          {
            what: `of ${maxItems + 1}`,
            value: Array.from({ length: maxItems + 1 }, (_, index) => idNumber(index)),
          },
        ]
      : []),
    ...wrongTypes.map(({ what, value }) => ({ what: `with an item ${what}`, value: [value] })),
    ...(items ? wrongText(items) : []).map(({ what, value }) => ({
      what: `with an item ${what}`,
      value: [value],
    })),
  ];
}

function idNumber(index: number): string {
  return `019aa4f0-5c1e-7b3a-9d2f-${index.toString(16).padStart(12, '0')}`;
}
