import type { Query } from 'drizzle-orm';
import {
  PgPreparedQuery,
  type PreparedQueryConfig,
  type SelectedFieldsOrdered,
} from 'drizzle-orm/pg-core';
import { planOf, type Plan, type Values } from './plan.ts';
import type { JoinedTables } from './rows.ts';

interface Parts {
  readonly query: Query;
  readonly fields: SelectedFieldsOrdered | undefined;
  readonly run: (plan: Plan, values: Values) => Promise<unknown>;
}

/** A statement as the query builder wants it, which runs it by its plan. */
export class BuiltStatement<Config extends PreparedQueryConfig> extends PgPreparedQuery<Config> {
  /** The query builder of a select sets it afterwards. */
  joinsNotNullableMap: JoinedTables | undefined;
  readonly #parts: Parts;
  #plan: Plan | undefined;

  constructor(parts: Parts) {
    super(parts.query, undefined, undefined);
    this.#parts = parts;
  }

  get plan(): Plan {
    const { query, fields } = this.#parts;
    this.#plan ??= planOf(query, fields, this.joinsNotNullableMap);
    return this.#plan;
  }

  execute(values: Values = {}): Promise<Config['execute']> {
    return this.#parts.run(this.plan, values);
  }
}
