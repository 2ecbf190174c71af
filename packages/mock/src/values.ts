import type { Random } from './random.ts';
import { nameOf, wholeSchema, type Schema } from './schemas.ts';

interface Field {
  readonly name: string;
  readonly schema: Schema;
  /** What the contract shows at this place. */
  readonly example?: unknown;
}

export interface Making {
  readonly random: Random;
  /** Address of this server; links of the examples lead to it. */
  readonly baseUrl: string;
}

/**
 * A value that fits the schema and looks like the contract's examples: they give its shape and its
 * words, chance gives ids, times, numbers and choices.
 */
export function valueOf(making: Making, { name, schema, example }: Field): unknown {
  const whole = wholeSchema(schema);
  const shown = example === undefined ? whole.examples?.[0] : example;
  const { random } = making;
  if ('const' in whole) return whole.const;
  if (shown === null && allowsNull(whole)) return null;
  if (nameOf(schema) === 'Id') return idOf(random);
  if (whole.enum) return random.pick(whole.enum);
  if (whole.anyOf?.[0]) return valueOf(making, { name, schema: whole.anyOf[0], example: shown });
  if (whole.items) return listOf(making, { name, schema: whole, example: shown });
  if (whole.properties) return objectOf(making, { name, schema: whole, example: shown });
  return plainValueOf(making, { name, schema: whole, example: shown });
}

function allowsNull({ type, anyOf }: Schema): boolean {
  return (
    type === 'null' || Array.isArray(type) || (anyOf?.some((one) => one.type === 'null') ?? false)
  );
}

function objectOf(making: Making, { schema, example }: Field): Record<string, unknown> {
  const shown = isRecord(example) ? example : null;
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => schema.required?.includes(name) || (shown && name in shown))
      .map(([name, field]) => [
        name,
        valueOf(making, { name, schema: field, example: shown?.[name] }),
      ]),
  );
}

function listOf(making: Making, { name, schema, example }: Field): unknown[] {
  const { items = {}, maxItems = 3 } = schema;
  const shown: readonly unknown[] = Array.isArray(example) ? example : [];
  const length = Math.min(maxItems, shown.length > 0 ? shown.length : making.random.integer(0, 3));
  return Array.from({ length }, (_, index) =>
    valueOf(making, { name, schema: items, example: shown[index] }),
  );
}

function plainValueOf(making: Making, { name, schema, example }: Field): unknown {
  const [type] = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  const { random } = making;
  if (type === 'integer' || type === 'number') return numberOf(random, schema, example);
  // What an example says of itself is often said by another field too.
  if (type === 'boolean') return typeof example === 'boolean' ? example : random.next() < 0.5;
  if (type === 'string') return textOf(making, { name, schema, example });
  if (type === 'object') return mapOf(making, { name, schema, example });
  return example ?? null;
}

function mapOf(making: Making, { name, schema, example }: Field): unknown {
  const shown = isRecord(example) ? example : {};
  const names = new Set([...Object.keys(shown), ...(schema.required ?? [])]);
  return Object.fromEntries(
    [...names].map((key) => [
      key,
      valueOf(making, { name, schema: schema.additionalProperties ?? {}, example: shown[key] }),
    ]),
  );
}

function numberOf(random: Random, { minimum = 0, maximum }: Schema, example: unknown): number {
  const most = typeof example === 'number' ? Math.max(example * 2, minimum) : minimum + 20;
  return random.integer(minimum, Math.min(most, maximum ?? most));
}

function textOf({ random, baseUrl }: Making, { name, schema, example }: Field): string {
  if (schema.format === 'date-time') return momentOf(random);
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

/** A version 7 UUID. */
export function idOf(random: Random): string {
  const time = (startMs + random.integer(0, spanMs)).toString(16).padStart(12, '0');
  const variant = random.pick(['8', '9', 'a', 'b']);
  const groups = [time.slice(0, 8), time.slice(8), `7${random.hex(3)}`, variant + random.hex(3)];
  return [...groups, random.hex(12)].join('-');
}

// Three months that end when the examples of the contract happen.
const spanMs = 90 * 24 * 60 * 60 * 1000;
const startMs = Date.UTC(2026, 10, 21) - spanMs;

function momentOf(random: Random): string {
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
