import type { Sql } from 'postgres';

const batchRows = 50_000;

/** Inserts a year of activities: by several accounts, about many resources. */
export async function seedTimeline(
  sql: Sql,
  timeline: { organizationId: string; memberIds: readonly string[]; activityCount: number },
): Promise<void> {
  const { organizationId, activityCount } = timeline;
  const memberIds = [...timeline.memberIds];
  for (let first = 1; first <= activityCount; first += batchRows) {
    const last = Math.min(first + batchRows - 1, activityCount);
    await sql.begin(async (tx) => {
      await tx`set local synchronous_commit = off`;
      await tx`
        insert into activities (id, action, actor_id, organization_id, resource_type, resource_id,
          resource_name, changes, metadata, request_id, created_at)
        select uuidv7(created_at - now()), action,
          (${memberIds}::uuid[])[n % ${memberIds.length}::int + 1], ${organizationId},
          split_part(action, '.', 1), md5((n / 4)::text)::uuid, 'Resource ' || n / 4,
          case when action like '%.update'
            then '[{"field": "title", "from": "Before", "to": "After"}]'::jsonb else '[]'::jsonb end,
          '{}', uuidv7()::text, created_at
        from (
          select n, now() - (${activityCount}::int - n) * interval '31 seconds' as created_at,
            (array['task.create', 'task.update', 'task.move', 'comment.create', 'comment.create',
              'asset.create', 'asset.update', 'asset.favorite', 'collection.create', 'task.assign'])[n % 10 + 1] as action
          from generate_series(${first}::int, ${last}::int) n
        ) as actions
        order by n`;
    });
  }
}
