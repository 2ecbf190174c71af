import { hash } from 'node:crypto';
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { planOf, type Plan } from './plan.ts';
import { dialect } from './session.ts';

/** The function of a distributed database that runs such a read. */
export const readOnItsServer = {
  name: 'read_on_its_server',
  parameters: 'an_organization uuid, a_name text, a_query text, given text[]',
} as const;

const text = `select ${readOnItsServer.name}($1::uuid, $2::text, $3::text, $4::text[]) as rows`;

/** A query of one organization, whose values include `organizationId`. */
export interface Read {
  readonly query: SQLWrapper;
  /** Of the same query. */
  readonly plan: Plan;
}

interface OfOrganization {
  readonly organizationId: string;
}

/** Returns the plan of the same read by the server of an organization, which prepares it for itself. */
export function onItsServer(read: Read): Plan {
  return callOf(valueOf(read), readerOf(read));
}

/** Returns the plan of several such reads in one call. What it reads are the rows of each. */
export function allOnTheirServer(reads: readonly Read[]): Plan {
  const values = reads.map((read) => sql`(${valueOf(read)})`);
  const readers = reads.map(readerOf);
  return callOf(sql`select json_build_array(${sql.join(values, sql`, `)})`, (ofAll: Rows[]) =>
    readers.map((readRows, index) => readRows(ofAll[index] ?? [])),
  );
}

type ReadValue<Value> = (value: Value) => unknown[];
type Rows = unknown[][];

/** @param query - of a single value */
function callOf<Value>(query: SQL, readValue: ReadValue<Value>): Plan {
  const { text: queried, parametersOf } = planOf(dialect.sqlToQuery(query), undefined);
  const name = hash('sha256', queried, 'base64url').slice(0, nameLength);
  return {
    text,
    parametersOf: (values) => [
      // As every value of such a read has it.
      (values as OfOrganization).organizationId,
      name,
      queried,
      parametersOf(values),
    ],
    readRows: ([row]) => readValue(row?.[0] as Value),
    width: 1,
  };
}

/** All rows are one value, because Postgres returns those of a prepared statement to a function only in this way. */
function valueOf({ query, plan: { width } }: Read): SQL {
  const columns = sql.raw(Array.from({ length: width }, (_, index) => `c${index}`).join(', '));
  return sql`select coalesce(json_agg(json_build_array(${columns})), '[]') from ${query} as found(${columns})`;
}

function readerOf({ plan: { readRows } }: Read): ReadValue<Rows> {
  if (readRows === null) throw new Error('a statement without fields has no rows to read');
  return readRows;
}

/** Together with the number of a shard, less than the 63 letters of a name. */
const nameLength = 22;
