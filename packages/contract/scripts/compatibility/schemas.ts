import { isDeepStrictEqual } from 'node:util';
import { flattened, type OpenApi, type Schema } from './document.ts';

/** Whether clients send the values or the service does. */
export type Direction = 'request' | 'response';

export interface Comparison {
  readonly before: OpenApi;
  readonly after: OpenApi;
  readonly direction: Direction;
  /** Takes a line for each new value of an enumeration in a response. */
  readonly onGrowth?: (line: string) => void;
}

interface Pair {
  readonly before: Schema;
  readonly after: Schema;
  readonly where: string;
}

/** Deeper than any schema that does not contain itself. */
const deepest = 24;

/**
 * Returns the changes of a schema that break clients: a request must still accept everything that it accepted,
 * and a response must still match its old schema. A new value of an `enum` in a response is not breaking:
 * clients have to expect it.
 */
export function breaksOfSchema(comparison: Comparison, pair: Pair, depth = 0): string[] {
  const before = flattened(comparison.before, pair.before);
  const after = flattened(comparison.after, pair.after);
  if (depth > deepest) return [];
  const { where } = pair;
  const alternatives = breaksOfAlternatives(comparison, { before, after, where }, depth);
  if (alternatives) return alternatives;
  return [
    ...breaksOfType(comparison.direction, { before, after, where }),
    ...breaksOfChoices(comparison, { before, after, where }),
    ...breaksOfForm(comparison.direction, { before, after, where }),
    ...breaksOfFields(comparison, { before, after, where }, depth),
    ...breaksOfItems(comparison, { before, after, where }, depth),
  ];
}

/** Null where neither schema has alternatives. */
function breaksOfAlternatives(
  comparison: Comparison,
  { before, after, where }: Pair,
  depth: number,
): string[] | null {
  const known = alternativesOf(before);
  const present = alternativesOf(after);
  if (known.length < 2 && present.length < 2) return null;
  const fits = (one: Schema, other: Schema) =>
    breaksOfSchema(comparison, { before: one, after: other, where }, depth + 1).length === 0;
  const lost =
    comparison.direction === 'request'
      ? known.filter((one) => !present.some((other) => fits(one, other)))
      : present.filter((other) => !known.some((one) => fits(one, other)));
  if (lost.length === 0) return [];
  return comparison.direction === 'request'
    ? [`${where}: an alternative is no longer accepted`]
    : [`${where}: an alternative is new in the response`];
}

function alternativesOf(schema: Schema): readonly Schema[] {
  return schema.anyOf ?? schema.oneOf ?? [schema];
}

function breaksOfType(direction: Direction, { before, after, where }: Pair): string[] {
  const known = typesOf(before);
  const present = typesOf(after);
  const [wanted, offered] = direction === 'request' ? [known, present] : [present, known];
  if (offered === null || wanted?.every((type) => includesType(offered, type))) return [];
  return [`${where}: type ${nameOf(known)} became ${nameOf(present)}`];
}

function typesOf({ type, const: constant, enum: choices }: Schema): readonly string[] | null {
  if (type !== undefined) return typeof type === 'string' ? [type] : type;
  const values = constant === undefined ? choices : [constant];
  return values ? [...new Set(values.map(typeOfValue))] : null;
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function includesType(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function nameOf(types: readonly string[] | null): string {
  return types?.join(' or ') ?? 'of any kind';
}

function breaksOfChoices(
  { direction, onGrowth }: Comparison,
  { before, after, where }: Pair,
): string[] {
  const known = choicesOf(before);
  const present = choicesOf(after);
  if (direction === 'request') {
    if (!present) return [];
    if (!known) return [`${where}: only some values are still accepted`];
    return known
      .filter((value) => !present.some((other) => isDeepStrictEqual(value, other)))
      .map((value) => `${where}: value ${JSON.stringify(value)} is no longer accepted`);
  }
  if (!known) return [];
  if (!present) return [`${where}: values are no longer from a list`];
  for (const value of present) {
    const isNew = !known.some((other) => isDeepStrictEqual(value, other));
    if (isNew) onGrowth?.(`${where}: value ${JSON.stringify(value)} is new`);
  }
  const isConstant = 'const' in before;
  return isConstant && !isDeepStrictEqual(known, present)
    ? [`${where}: ${JSON.stringify(before.const)} became ${present.map(toJson).join(' or ')}`]
    : [];
}

function toJson(value: unknown): string {
  return JSON.stringify(value);
}

function choicesOf(schema: Schema): readonly unknown[] | undefined {
  return 'const' in schema ? [schema.const] : schema.enum;
}

const lowerBounds = ['minLength', 'minimum', 'minItems'] as const;
const upperBounds = ['maxLength', 'maximum', 'maxItems'] as const;

function breaksOfForm(direction: Direction, { before, after, where }: Pair): string[] {
  const breaks = (['format', 'pattern'] as const)
    // Requests may lose a format, responses may gain one.
    .filter((form) => (direction === 'request' ? after[form] : before[form]) !== undefined)
    .filter((form) => before[form] !== after[form])
    .map((form) => `${where}: ${form} ${before[form] ?? 'none'} became ${after[form] ?? 'none'}`);
  if (direction === 'response') return breaks;
  const tightened = [
    ...lowerBounds.filter((bound) => (after[bound] ?? -Infinity) > (before[bound] ?? -Infinity)),
    ...upperBounds.filter((bound) => (after[bound] ?? Infinity) < (before[bound] ?? Infinity)),
  ].map((bound) => `${where}: ${bound} ${before[bound] ?? 'none'} became ${after[bound] ?? ''}`);
  const isOtherDefault =
    before.default !== undefined && !isDeepStrictEqual(before.default, after.default);
  return [...breaks, ...tightened, ...(isOtherDefault ? [`${where}: the default changed`] : [])];
}

function breaksOfFields(
  comparison: Comparison,
  { before, after, where }: Pair,
  depth: number,
): string[] {
  const known = before.properties ?? {};
  const present = after.properties ?? {};
  const removed = Object.keys(known).filter((field) => !(field in present));
  const common = Object.keys(known).filter((field) => field in present);
  const [from, to] = comparison.direction === 'request' ? [after, before] : [before, after];
  const demanded = (from.required ?? []).filter(
    (field) => !to.required?.includes(field) && !removed.includes(field),
  );
  const reason =
    comparison.direction === 'request' ? 'is required now' : 'may be absent from the response now';
  return [
    ...removed.map((field) => `${where}.${field}: removed`),
    ...demanded.map((field) => `${where}.${field}: ${reason}`),
    ...common.flatMap((field) => {
      const pair = { before: known[field] ?? {}, after: present[field] ?? {} };
      return breaksOfSchema(comparison, { ...pair, where: `${where}.${field}` }, depth + 1);
    }),
  ];
}

function breaksOfItems(
  comparison: Comparison,
  { before, after, where }: Pair,
  depth: number,
): string[] {
  const breaks: string[] = [];
  if (before.items && after.items) {
    const pair = { before: before.items, after: after.items, where: `${where}[]` };
    breaks.push(...breaksOfSchema(comparison, pair, depth + 1));
  }
  const [known, present] = [before.additionalProperties, after.additionalProperties];
  if (comparison.direction === 'request' && present === false && known !== false) {
    breaks.push(`${where}: unknown fields are no longer accepted`);
  }
  if (typeof known === 'object' && typeof present === 'object') {
    const pair = { before: known, after: present, where: `${where}.*` };
    breaks.push(...breaksOfSchema(comparison, pair, depth + 1));
  }
  return breaks;
}
