import type { Random } from './random.ts';
import { nameOf, resolvedSchema, type Schema } from './schemas.ts';

interface Field {
  readonly name: string;
  readonly schema: Schema;
  /** The example of the contract for this field. */
  readonly example?: unknown;
}

/** The inputs of a generated value. */
export interface ValueSource {
  readonly random: Random;
  /** Base URL of this server, to which links of the examples are rewritten. */
  readonly baseUrl: string;
}

/**
 * Generates a value that fits the schema and resembles the contract's examples: shape and words come from the
 * examples; ids, times, numbers and choices are random.
 */
export function valueOf(source: ValueSource, { name, schema, example }: Field): unknown {
  const resolved = resolvedSchema(schema);
  const shown = example === undefined ? resolved.examples?.[0] : example;
  const { random } = source;
  if ('const' in resolved) return resolved.const;
  if (shown === null && allowsNull(resolved)) return null;
  if (nameOf(schema) === 'Id') return idOf(random);
  if (resolved.enum) return random.pick(resolved.enum);
  if (resolved.anyOf?.[0])
    return valueOf(source, { name, schema: resolved.anyOf[0], example: shown });
  if (resolved.items) return listOf(source, { name, schema: resolved, example: shown });
  if (resolved.properties) return objectOf(source, { name, schema: resolved, example: shown });
  return plainValueOf(source, { name, schema: resolved, example: shown });
}

function allowsNull({ type, anyOf }: Schema): boolean {
  return (
    type === 'null' || Array.isArray(type) || (anyOf?.some((one) => one.type === 'null') ?? false)
  );
}

function objectOf(source: ValueSource, { schema, example }: Field): Record<string, unknown> {
  const shown = isRecord(example) ? example : null;
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => schema.required?.includes(name) || (shown && name in shown))
      .map(([name, field]) => [
        name,
        valueOf(source, { name, schema: field, example: shown?.[name] }),
      ]),
  );
}

function listOf(source: ValueSource, { name, schema, example }: Field): unknown[] {
  const { items = {}, maxItems = 3 } = schema;
  const shown: readonly unknown[] = Array.isArray(example) ? example : [];
  const length = Math.min(maxItems, shown.length > 0 ? shown.length : source.random.integer(0, 3));
  return Array.from({ length }, (_, index) =>
    valueOf(source, { name, schema: items, example: shown[index] }),
  );
}

function plainValueOf(source: ValueSource, { name, schema, example }: Field): unknown {
  const [type] = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  const { random } = source;
  if (type === 'integer' || type === 'number') return numberOf(random, schema, example);
  // Other fields of an example often imply its booleans.
  if (type === 'boolean') return typeof example === 'boolean' ? example : random.next() < 0.5;
  if (type === 'string') return textOf(source, { name, schema, example });
  if (type === 'object') return mapOf(source, { name, schema, example });
  return example ?? null;
}

function mapOf(source: ValueSource, { name, schema, example }: Field): unknown {
  const shown = isRecord(example) ? example : {};
  const names = new Set([...Object.keys(shown), ...(schema.required ?? [])]);
  return Object.fromEntries(
    [...names].map((key) => [
      key,
      valueOf(source, { name, schema: schema.additionalProperties ?? {}, example: shown[key] }),
    ]),
  );
}

function numberOf(random: Random, { minimum = 0, maximum }: Schema, example: unknown): number {
  const most = typeof example === 'number' ? Math.max(example * 2, minimum) : minimum + 20;
  return random.integer(minimum, Math.min(most, maximum ?? most));
}

function textOf({ random, baseUrl }: ValueSource, { name, schema, example }: Field): string {
  if (schema.format === 'date-time') return timestampOf(random);
  if (typeof example === 'string' && /^https?:/.test(example)) {
    return example.startsWith('https://api.example.com')
      ? example.replace('https://api.example.com', baseUrl)
      : `${baseUrl}/mock-storage/${random.hex(16)}`;
  }
  if (name === 'email') return `${random.pick(people).toLowerCase().replace(' ', '.')}@example.com`;
  const words = wordsByName[name];
  if (words) return random.pick(words);
  return typeof example === 'string' ? example : 'text';
}

/** Generates a version 7 UUID. */
function idOf(random: Random): string {
  return idAt(startMs + random.integer(0, spanMs), random);
}

/** Generates a version 7 UUID of a time. */
export function idAt(timeMs: number, random: Random): string {
  const time = timeMs.toString(16).padStart(12, '0');
  const variant = random.pick(['8', '9', 'a', 'b']);
  const groups = [time.slice(0, 8), time.slice(8), `7${random.hex(3)}`, variant + random.hex(3)];
  return [...groups, random.hex(12)].join('-');
}

// The three months before the dates of the contract's examples.
const spanMs = 90 * 24 * 60 * 60 * 1000;
const startMs = Date.UTC(2026, 10, 21) - spanMs;

function timestampOf(random: Random): string {
  return new Date(startMs + random.integer(0, spanMs)).toISOString();
}

const people = [
  'Ada Lovelace',
  'Grace Hopper',
  'Alan Turing',
  'Katherine Johnson',
  'Edsger Dijkstra',
  'Radia Perlman',
  'Barbara Liskov',
  'Donald Knuth',
];

const titles = [
  'Brand pictures',
  'Spring catalogue',
  'Trade fair',
  'Press kit',
  'Product films',
  'Annual report',
  'Signage',
  'A title that is long enough to show where a narrow column has to cut it off',
];

const wordsByName: Readonly<Record<string, readonly string[]>> = {
  title: titles,
  resourceName: titles,
  name: titles,
  displayName: people,
  assetName: ['logo.png', 'cover-final-2.jpg', 'Ångström & Söhne.pdf', 'film.mp4', 'notes.txt'],
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
