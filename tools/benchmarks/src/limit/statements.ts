/** The service's statements for S1 to S3, as its query builder writes them, with column names. */

const account = `u.id, u.email, u.first_name, u.last_name, u.platform_role, u.mail_notices, u.mail_sign_ins, u.avatar_key,
  u.account_status, personal.id as personal_id, u.created_at, u.updated_at`;

/** Parameters: session, user, now. */
export const openSession = `
  select ${account}
  from sessions s join users u on u.id = s.user_id
    join organizations personal on personal.owner_id = u.id and personal.type = 'PERSONAL'
  where s.id = $1 and s.user_id = $2 and s.ended_at is null and s.expires_at > $3
    and u.account_status = 'VERIFIED'`;

/** Parameters: session, user, now, organization. */
export const openSessionInOrganization = `
  select ${account}, o.id as organization_id, o.type as organization_type, m.role
  from sessions s join users u on u.id = s.user_id
    join organizations personal on personal.owner_id = u.id and personal.type = 'PERSONAL'
    left join organizations o on o.id = $4 and o.deleted_at is null
    left join memberships m on m.organization_id = o.id and m.user_id = u.id and m.status = 'ACTIVE'
  where s.id = $1 and s.user_id = $2 and s.ended_at is null and s.expires_at > $3
    and u.account_status = 'VERIFIED'`;

/** Only the account. Parameter: user. */
export const accountOfUser = `
  select ${account}
  from users u join organizations personal on personal.owner_id = u.id and personal.type = 'PERSONAL'
  where u.id = $1`;

/** Computes the position of a task in its column. @param task - alias of its table, here and below */
export function positionOf(task: string): string {
  const inItsColumn = (table: string) =>
    `${table}.organization_id = ${task}.organization_id and ${table}.project_id = ${task}.project_id and ${table}.status = ${task}.status`;
  return `(
    select case when own.starts_at = '' then 0 else (
      select coalesce(sum(earlier.task_count), 0) from column_sections earlier
      where ${inItsColumn('earlier')} and earlier.starts_at < own.starts_at
    ) end + (
      select count(*) from tasks neighbour
      where ${inItsColumn('neighbour')} and neighbour.rank >= own.starts_at and neighbour.rank < ${task}.rank
    )
    from (
      select coalesce(max(section.starts_at), '') as starts_at from column_sections section
      where ${inItsColumn('section')} and section.starts_at <= ${task}.rank
    ) own
  )::int`;
}

/** Counts the comments of a task. */
export function commentCountOf(task: string): string {
  return `(
    select count(*) from comments
    where comments.organization_id = ${task}.organization_id and comments.task_id = ${task}.id
  )::int`;
}

/** Counts the assets that are attached to a task. */
export function attachmentCountOf(task: string): string {
  return `(
    select count(*) from task_assets attached join assets
      on assets.organization_id = ${task}.organization_id and assets.id = attached.asset_id
    where attached.organization_id = ${task}.organization_id and attached.task_id = ${task}.id
      and assets.deleted_at is null
  )::int`;
}

/** Selects the task of a subtask as JSON. */
export function parentOf(task: string): string {
  return `case when ${task}.parent_id is not null then (
    select json_build_object('id', parent.id, 'number', parent.number, 'title', parent.title)
    from tasks parent
    where parent.organization_id = ${task}.organization_id and parent.id = ${task}.parent_id
  ) end`;
}

/** Selects the assignees of a task as JSON. */
export function assigneesOf(task: string): string {
  return `(
    select coalesce(json_agg(json_build_object(
      'id', users.id, 'email', users.email, 'firstName', users.first_name,
      'lastName', users.last_name, 'avatarKey', users.avatar_key
    ) order by assignment.assigned_at, users.id), '[]')
    from task_assignees assignment join users on users.id = assignment.user_id
    where assignment.organization_id = ${task}.organization_id and assignment.task_id = ${task}.id
  )`;
}

/** Selects the labels of a task as JSON. */
export function labelsOf(task: string): string {
  return `(
    select coalesce(json_agg(json_build_object(
      'id', labels.id, 'name', labels.name, 'color', labels.color
    ) order by labels.name_key), '[]')
    from task_labels carried join labels
      on labels.organization_id = ${task}.organization_id and labels.id = carried.label_id
    where carried.organization_id = ${task}.organization_id and carried.task_id = ${task}.id
  )`;
}

/** Parameters: organization, limit. One row more than the page shows that there is a next page. */
export const taskPage = `
  select id, number, project_id, organization_id, title, description, status, priority, due_date, rank,
    completed_at, created_by, created_at, updated_at, subtask_count, completed_subtask_count,
    ${parentOf('task')} as parent,
    ${positionOf('task')} as position,
    ${commentCountOf('task')} as comment_count,
    ${attachmentCountOf('task')} as attachment_count,
    ${assigneesOf('task')} as assignees,
    ${labelsOf('task')} as labels,
    (
      select count(*)::int from (select 1 from tasks where organization_id = $1 limit 10001) counted
    ) as total
  from (
    select * from tasks where organization_id = $1 order by created_at desc, id desc limit $2
  ) task
  order by created_at desc, id desc`;

/** The page, for a member only. Parameters: organization, limit, user. */
export const taskPageOfMember = taskPage.replace(
  'select * from tasks where organization_id = $1',
  `select * from tasks where organization_id = $1 and exists (
      select 1 from memberships where organization_id = $1 and user_id = $3 and status = 'ACTIVE')`,
);

/** Parameters: organization, task, comment, author, text, now, activity, request. */
export const postComment = `
  with task as (
    select organization_id, id, title from tasks where organization_id = $1 and id = $2 for key share
  ), posted as (
    insert into comments (organization_id, id, task_id, author_id, body, created_at)
    select task.organization_id, $3, task.id, $4, $5, $6 from task
    returning id, author_id, created_at
  ), recorded as (
    insert into activities (id, action, actor_id, organization_id, resource_type, resource_id,
      resource_name, changes, metadata, request_id, created_at)
    select $7, 'comment.create', posted.author_id, task.organization_id, 'comment', posted.id, task.title,
      '[]'::jsonb, jsonb_build_object('taskId', task.id), $8, posted.created_at
    from task, posted
  )
  select id from posted`;
