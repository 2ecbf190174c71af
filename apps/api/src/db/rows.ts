import { Column, is, SQL, Subquery, type DriverValueDecoder } from 'drizzle-orm';
import type { PgSession, SelectedFieldsOrdered } from 'drizzle-orm/pg-core';
import { compiled } from '../kernel/compiled.ts';

type Row = readonly unknown[];
type Decoder = DriverValueDecoder<unknown, unknown>;
type Decode = Decoder['mapFromDriverValue'];
type Field = Exclude<SelectedFieldsOrdered[number]['field'], Subquery>;

/**
 * Has a session turn rows into objects by a plan made once for each statement. The library looks for the
 * decoder of each value of each row, which costs a list of fifty rows more than anything else.
 *
 * Statements with nested fields keep the library's own way, which knows about outer joins.
 */
export function mapRowsByPlan(session: Pick<PgSession, 'prepareQuery'>): void {
  const prepareQuery = session.prepareQuery.bind(session);
  session.prepareQuery = (...given: Parameters<PgSession['prepareQuery']>) => {
    const [query, fields, name, isArray, mapper, ...rest] = given;
    return prepareQuery(query, fields, name, isArray, mapper ?? mapperOf(fields), ...rest);
  };
}

type ObjectOf = (row: Row) => unknown;
/** By their source: statements that aren't prepared come again and again, with the same few. */
const plans = new Map<string, (decode: readonly (Decode | null)[]) => ObjectOf>();

/** @returns undefined without fields, and for nested ones, which are left to the library */
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

/** @returns null where the value of the driver is the value */
function decoderOf(field: Field): Decode | null {
  const decoder = is(field, Column)
    ? field
    : decoderOfExpression(is(field, SQL) ? field : field.sql);
  if (decoder.mapFromDriverValue === Column.prototype.mapFromDriverValue) return null;
  return (value) => decoder.mapFromDriverValue(value);
}

function decoderOfExpression(expression: SQL): Decoder {
  // Every expression has one; the library's types keep it to itself.
  return (expression as SQL & { readonly decoder: Decoder }).decoder;
}
