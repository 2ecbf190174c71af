import { sql } from 'drizzle-orm';
import type { TestApi } from './api.ts';

/**
 * Records what tests leave out, so that `operator verify` finds nothing: teams and members are made without their activities,
 * and second factors without their mark.
 */
export async function recordShortcuts({ db }: Pick<TestApi, 'db'>): Promise<void> {
  const columns = sql`id, action, actor_id, organization_id, resource_type, resource_id, resource_name, changes,
    metadata, request_id, created_at`;
  await db.execute(sql`
    insert into activities (${columns})
    select gen_random_uuid(), 'organization.create', owner_id, id, 'organization', id, name, '[]'::jsonb, '{}'::jsonb, id::text, created_at
    from organizations where type = 'TEAM'
    union all
    select gen_random_uuid(), 'member.join', user_id, organization_id, 'member', id, '', '[]'::jsonb,
      jsonb_build_object('invitationId', gen_random_uuid()), id::text, joined_at
    from memberships where not is_service and not exists (select from activities where resource_id = memberships.id)
      and organization_id in (select id from organizations where type = 'TEAM' and created_at <> joined_at)`);
  await db.execute(sql`
    update users set has_second_factor = true where id in (select user_id from passkeys)`);
}
