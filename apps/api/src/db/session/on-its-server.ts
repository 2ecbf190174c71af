import { hash } from 'node:crypto';
import type { Plan } from './plan.ts';

/** The function of a distributed database that runs such a read. */
export const readOnItsServer = {
  name: 'read_on_its_server',
  parameters: 'an_organization uuid, a_name text, a_query text, given text[]',
} as const;

const text = `select ${readOnItsServer.name}($1::uuid, $2::text, $3::text, $4::text[]) as rows`;

interface OfOrganization {
  readonly organizationId: string;
}

/**
 * Returns the plan of the same read by the server of an organization, which prepares it for itself. All rows are one value, because
 * Postgres returns those of a prepared statement to a function only in this way.
 *
 * @param plan - a query of one organization, whose values include `organizationId`
 */
export function onItsServer({ text: query, parametersOf, readRows, width }: Plan): Plan {
  if (readRows === null) throw new Error('a statement without fields has no rows to read');
  const columns = Array.from({ length: width }, (_, index) => `c${index}`).join(', ');
  const asValue = `select coalesce(json_agg(json_build_array(${columns})), '[]') from (${query}) as found(${columns})`;
  const name = hash('sha256', asValue, 'base64url').slice(0, nameLength);
  return {
    text,
    parametersOf: (values) => [
      // As every value of such a read has it.
      (values as OfOrganization).organizationId,
      name,
      asValue,
      parametersOf(values),
    ],
    readRows: ([row]) => readRows(row?.[0] as unknown[][]),
    width: 1,
  };
}

/** Together with the number of a shard, less than the 63 letters of a name. */
const nameLength = 22;
