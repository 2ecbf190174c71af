import { deletedAddressSuffix } from '@atelier/contract';
import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { catalogue, columnOf, goneOnDeletion, tenantTables } from '../../../db/catalogue.ts';
import { organizations, users } from '../../../db/generated/schema.ts';
import type { Check } from './check.ts';

/** What the tables declare for the deletion of an organization, and for the erasure of an account. */
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
  {
    name: 'deleted-accounts',
    claim:
      'Of a deleted account there is what its tables keep, nothing at home, and nothing in history, invitations or stored responses that names it',
    violations: sql.join(
      [
        ...catalogue.flatMap(({ name, table, onAccountErased }) =>
          Object.entries(onAccountErased)
            .filter(([, fate]) => fate !== 'keep')
            .map(([column]) => rowsOfDeleted(name, table, columnOf(table, column))),
        ),
        ...tenantTables
          .filter(({ onOrganizationDeleted: fate }) => fate === 'bin' || fate === 'purge')
          .map(({ name, table }) => rowsAtHome(name, table)),
        sql`
        select 'user ' || users.id || ' is no subject' as subject from users
        where users.account_status = 'DELETED'
          and not exists (select from erased_subjects where erased_subjects.id = users.id)`,
        sql`
        select 'activity ' || activities.id as subject
        from users
        join erased_subjects on erased_subjects.user_id = users.id
        join activities on erased_subjects.id in (activities.resource_id, activities.organization_id)
        where users.account_status = 'DELETED' and (activities.resource_name <> ''
          or activities.resource_type not in ('member', 'invitation')
            and (activities.changes <> '[]' or activities.metadata <> '{}'))`,
        sql`
        select 'activity of account ' || account_activities.id as subject
        from users
        join erased_subjects on erased_subjects.user_id = users.id
        join account_activities on account_activities.resource_id = erased_subjects.id
        where users.account_status = 'DELETED' and (account_activities.resource_name <> ''
          or account_activities.changes <> '[]' or account_activities.metadata <> '{}')`,
        sql`
        select 'message ' || webhook_deliveries.id as subject
        from webhook_deliveries
        join activities on activities.organization_id = webhook_deliveries.organization_id
          and activities.id = webhook_deliveries.event_id
        join users on users.id = activities.actor_id
        where users.account_status = 'DELETED'
          and webhook_deliveries.created_at < users.updated_at`,
        sql`
        select 'stored response of user ' || users.id as subject
        from idempotency_keys join users on idempotency_keys.scope = users.id::text
        where users.account_status = 'DELETED'`,
        sql`
        select 'committed response of user ' || users.id as subject
        from committed_responses join users on committed_responses.scope = users.id::text
        where users.account_status = 'DELETED'`,
        sql`
        select 'invitation ' || invitations.id as subject
        from users
        join invitations on invitations.account_id = users.id
        where users.account_status = 'DELETED'
          and right(invitations.email, ${deletedAddressSuffix.length}::int) <> ${deletedAddressSuffix}`,
      ],
      sql` union all `,
    ),
  },
];

function rowsOfDeleted(name: string, table: PgTable, column: PgColumn): SQL {
  return sql`
    select ${`${name} of user `}::text || erased.id as subject
    from ${table} join ${users} as erased on erased.id = ${column}
    where erased.account_status = 'DELETED'`;
}

/** What lay at home has been in the bin for as long as the account has waited. */
function rowsAtHome(name: string, table: PgTable): SQL {
  return sql`
    select ${`${name} at home of user `}::text || ${users.id} as subject
    from ${table}
    join ${organizations} on ${organizations}.id = ${table}.organization_id
    join ${users} on ${users}.id = ${organizations}.owner_id
    where ${organizations}.type = 'PERSONAL' and ${users}.account_status = 'DELETED'`;
}
