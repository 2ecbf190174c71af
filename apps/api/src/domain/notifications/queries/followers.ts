import { sql, type SQL } from 'drizzle-orm';

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
