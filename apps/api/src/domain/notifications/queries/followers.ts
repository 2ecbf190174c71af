import { sql, type SQL } from 'drizzle-orm';

/** Selects who follows assets, like {@link followersOfTasks}: who made them or a version, and authors of comments. */
export function followersOfAssets(organizationId: string, assetIds: readonly string[]): SQL {
  const ids = sql`${[...assetIds]}`;
  return sql`
    select asset_id, user_id, min(since) as since
    from (
      select assets.id as asset_id, assets.created_by as user_id, assets.created_at as since
      from assets where assets.organization_id = ${organizationId} and assets.id in ${ids}
      union all
      select asset_versions.asset_id, asset_versions.created_by, asset_versions.created_at
      from asset_versions
      where asset_versions.organization_id = ${organizationId} and asset_versions.asset_id in ${ids}
      union all
      select asset_comments.asset_id, asset_comments.author_id, asset_comments.created_at
      from asset_comments
      where asset_comments.organization_id = ${organizationId} and asset_comments.asset_id in ${ids}
        and asset_comments.author_id is not null
    ) as reasons
    group by asset_id, user_id`;
}

/**
 * Selects who follows tasks: `task_id`, `user_id`, `since` and `is_muted`, a row for each person.
 *
 * Creators, assignees and authors of comments are found in what they did, so that older tasks have followers, too.
 */
export function followersOfTasks(organizationId: string, taskIds: readonly string[]): SQL {
  const ids = sql`${[...taskIds]}`;
  return sql`
    select task_id, user_id, min(since) as since, bool_or(is_muted) as is_muted
    from (
      select tasks.id as task_id, tasks.created_by as user_id, tasks.created_at as since, false as is_muted
      from tasks where tasks.organization_id = ${organizationId} and tasks.id in ${ids}
      union all
      select task_assignees.task_id, task_assignees.user_id, task_assignees.assigned_at, false
      from task_assignees
      where task_assignees.organization_id = ${organizationId} and task_assignees.task_id in ${ids}
      union all
      select comments.task_id, comments.author_id, comments.created_at, false
      from comments where comments.organization_id = ${organizationId} and comments.task_id in ${ids}
      union all
      select task_follows.task_id, task_follows.user_id, 'epoch', task_follows.state = 'MUTED'
      from task_follows
      where task_follows.organization_id = ${organizationId} and task_follows.task_id in ${ids}
    ) as reasons
    group by task_id, user_id`;
}
