import { Column, is, SQL, Subquery, type DriverValueDecoder } from 'drizzle-orm';
import type { PgSession, SelectedFieldsOrdered } from 'drizzle-orm/pg-core';
import { compiled } from '../kernel/compiled.ts';

type Row = readonly unknown[];
type Decoder = DriverValueDecoder<unknown, unknown>;
type Decode = Decoder['mapFromDriverValue'];
type Field = Exclude<SelectedFieldsOrdered[number]['field'], Subquery>;

/**
 * Makes a session map rows to objects by a plan that is built once per statement. The library looks up the
 * decoder of each value of each row, which dominates the cost of a list of fifty rows.
 *
 * Statements with nested fields still use the library's mapping, which handles outer joins.
 */
export function mapRowsByPlan(session: Pick<PgSession, 'prepareQuery'>): void {
  const prepareQuery = session.prepareQuery.bind(session);
  session.prepareQuery = (...given: Parameters<PgSession['prepareQuery']>) => {
    const [query, fields, name, isArray, mapper, ...rest] = given;
    return prepareQuery(query, fields, name, isArray, mapper ?? mapperOf(fields), ...rest);
  };
}

type ObjectOf = (row: Row) => unknown;
/** Plans by the fields' source: unprepared statements recur with the same few sets of fields. */
const plans = new Map<string, (decode: readonly (Decode | null)[]) => ObjectOf>();

/** @returns undefined without fields, and for nested ones, which the library maps */
export function mapperOf(fields: SelectedFieldsOrdered | undefined) {
  if (!fields) return undefined;
  const decode: (Decode | null)[] = [];
  let source = '(decode) => (row) => ({';
  for (const [index, { path, field }] of fields.entries()) {
    const [key] = path;
    if (key === undefined || path.length > 1 || is(field, Subquery)) return undefined;
    const decoder = decoderOf(field);
    decode.push(decoder);
    const value = `row[${index}]`;
    source += `${JSON.stringify(key)}: ${decoder ? `${value} === null ? null : decode[${index}](${value})` : value}, `;
  }
  source += '})';

  let plan = plans.get(source);
  if (!plan) {
    plan = compiled(source);
    plans.set(source, plan);
  }
  const objectOf = plan(decode);
  return (rows: Row[]) => rows.map((row) => objectOf(row));
}

/** @returns null if the driver's value needs no decoding */
function decoderOf(field: Field): Decode | null {
  const decoder = is(field, Column)
    ? field
    : decoderOfExpression(is(field, SQL) ? field : field.sql);
  if (decoder.mapFromDriverValue === Column.prototype.mapFromDriverValue) return null;
  return (value) => decoder.mapFromDriverValue(value);
}

function decoderOfExpression(expression: SQL): Decoder {
  // Every expression has a decoder; the library's types hide it.
  return (expression as SQL & { readonly decoder: Decoder }).decoder;
}
