import { Column, is, SQL, Subquery, type DriverValueDecoder } from 'drizzle-orm';
import type { PgSession, SelectedFieldsOrdered } from 'drizzle-orm/pg-core';

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

/** @returns undefined for what is left to the library */
function mapperOf(fields: SelectedFieldsOrdered | undefined) {
  if (!fields) return undefined;
  const columns: { key: string; decode: Decode | null }[] = [];
  for (const { path, field } of fields) {
    const [key] = path;
    if (key === undefined || path.length > 1 || is(field, Subquery)) return undefined;
    columns.push({ key, decode: decoderOf(field) });
  }

  return (rows: Row[]) =>
    rows.map((row) => {
      const object: Record<string, unknown> = {};
      for (let index = 0; index < columns.length; index += 1) {
        const column = columns[index];
        if (!column) continue;
        const value = row[index];
        object[column.key] =
          value === null || column.decode === null ? value : column.decode(value);
      }
      return object;
    });
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
