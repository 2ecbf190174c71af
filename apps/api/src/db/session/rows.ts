import { Column, getTableName, is, SQL, Subquery, type DriverValueDecoder } from 'drizzle-orm';
import type { SelectedFieldsOrdered } from 'drizzle-orm/pg-core';
import { compiled } from '../../kernel/compiled.ts';

type Row = readonly unknown[];
type Decoder = DriverValueDecoder<unknown, unknown>;
type Decode = Decoder['mapFromDriverValue'];
type Field = SelectedFieldsOrdered[number]['field'];

/** The tables of a select, by name: true if each row has a row of that table, as not every one of an outer join has. */
export type JoinedTables = Readonly<Record<string, boolean>>;

/** Makes the objects of a statement's rows from the values that the driver returns. */
export type ReadRows = (rows: readonly Row[]) => unknown[];

type ObjectOf = (row: Row) => unknown;
/** By source: unprepared statements recur with the same few sets of fields. */
const readers = new Map<string, (decode: readonly (Decode | null)[]) => ObjectOf>();

/**
 * Generates the reader of a statement's rows. The library looks up the decoder of each value of each row, which
 * dominates the cost of a list of fifty rows.
 */
export function rowReader(fields: SelectedFieldsOrdered, joined?: JoinedTables): ReadRows {
  const decode: (Decode | null)[] = [];
  const root: Group = { members: new Map(), missingIf: null };
  for (const [index, { path, field }] of fields.entries()) {
    const decoder = decoderOf(field);
    decode.push(decoder);
    const value = `row[${index}]`;
    const source = decoder ? `${value} === null ? null : decode[${index}](${value})` : value;
    const isOptional =
      joined !== undefined && is(field, Column) && !joined[getTableName(field.table)];
    place(root, path, { source, missingIf: isOptional ? `${value} === null` : null });
  }
  const source = `(decode) => (row) => (${sourceOf(root)})`;
  let reader = readers.get(source);
  if (!reader) {
    reader = compiled(source);
    readers.set(source, reader);
  }
  const objectOf = reader(decode);
  return (rows) => rows.map((row) => objectOf(row));
}

interface Value {
  readonly source: string;
  /** The condition for null instead of an object that begins with this value. */
  readonly missingIf: string | null;
}

/** An object of the result. */
interface Group {
  readonly members: Map<string, Value | Group>;
  /** Of its first value: the columns of an outer join are null together. */
  readonly missingIf: string | null;
}

function place(group: Group, path: readonly string[], value: Value): void {
  const [key, ...rest] = path;
  if (key === undefined) throw new Error('a field without a name');
  if (rest.length === 0) {
    group.members.set(key, value);
    return;
  }
  const found = group.members.get(key);
  const inner =
    found && 'members' in found ? found : { members: new Map(), missingIf: value.missingIf };
  group.members.set(key, inner);
  place(inner, rest, value);
}

function sourceOf(group: Group): string {
  const members = [...group.members].map(([key, member]) => {
    const source = 'members' in member ? nullable(member) : member.source;
    return `${JSON.stringify(key)}: ${source}`;
  });
  return `{${members.join(', ')}}`;
}

function nullable(group: Group): string {
  const source = sourceOf(group);
  return group.missingIf === null ? source : `${group.missingIf} ? null : ${source}`;
}

/** @returns null if the driver's value needs no decoding */
function decoderOf(field: Field): Decode | null {
  const decoder = is(field, Column) ? field : decoderOfExpression(expressionOf(field));
  if (decoder.mapFromDriverValue === Column.prototype.mapFromDriverValue) return null;
  return (value) => decoder.mapFromDriverValue(value);
}

function expressionOf(field: Exclude<Field, Column>): SQL {
  if (is(field, SQL)) return field;
  return is(field, Subquery) ? field._.sql : field.sql;
}

function decoderOfExpression(expression: SQL): Decoder {
  // Every expression has a decoder; the library's types hide it.
  return (expression as SQL & { readonly decoder: Decoder }).decoder;
}
