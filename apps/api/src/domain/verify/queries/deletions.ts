import { sql, type SQL } from 'drizzle-orm';
import { goneOnDeletion, tenantTables } from '../../../db/catalogue.ts';
import { organizations } from '../../../db/generated/schema.ts';
import type { Check } from './check.ts';

/** What the tables declare for the deletion of an organization. */
export const deletionChecks: readonly Check[] = [
  {
    name: 'deleted-organizations',
    claim:
      'A deleted organization has only the rows that outlive it, and its content is in the bin',
    violations: sql.join(
      tenantTables.flatMap((entry): SQL[] => {
        const gone = goneOnDeletion(entry);
        if (!gone) return [];
        const { name, table } = entry;
        return [
          sql`
          select ${`${name} of organization `}::text || ${organizations}.id as subject
          from ${table} join ${organizations} on ${organizations}.id = ${table}.organization_id
          where ${organizations}.deleted_at is not null and ${gone}`,
        ];
      }),
      sql` union all `,
    ),
  },
];
