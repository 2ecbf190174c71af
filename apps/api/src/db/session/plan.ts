import { is, Param, Placeholder, type Query } from 'drizzle-orm';
import type { SelectedFieldsOrdered } from 'drizzle-orm/pg-core';
import { rowReader, type JoinedTables, type ReadRows } from './rows.ts';

/** The values of a statement's placeholders, by their names. */
export type Values = object;

/** A statement without a connection: its text, and how values go in and rows come out. */
export interface Plan {
  readonly text: string;
  /** @throws Error if a placeholder has no value */
  readonly parametersOf: (values: Values) => unknown[];
  /** Null: the rows are what the driver returns, objects by the names of their columns. */
  readonly readRows: ReadRows | null;
  /** How many values a row has that `readRows` reads. */
  readonly width: number;
}

export function planOf(
  { sql: text, params }: Query,
  fields: SelectedFieldsOrdered | undefined,
  joined?: JoinedTables,
): Plan {
  const fillers = params.map(fillerOf);
  return {
    text,
    parametersOf: (values) => fillers.map((fill) => fill(values)),
    readRows: fields ? rowReader(fields, joined) : null,
    width: fields?.length ?? 0,
  };
}

type Fill = (values: Values) => unknown;

/** Of a constant, a placeholder, or a placeholder with the encoder of its column. */
function fillerOf(param: unknown): Fill {
  if (is(param, Placeholder)) return (values) => valueOf(param, values);
  if (is(param, Param) && is(param.value, Placeholder)) {
    const { value, encoder } = param;
    return (values) => encoder.mapToDriverValue(valueOf(value, values));
  }
  return () => param;
}

function valueOf({ name }: Placeholder, values: Values): unknown {
  if (!(name in values)) throw new Error(`the statement has no value for ${name}`);
  return (values as Readonly<Record<string, unknown>>)[name];
}
