import { taskStatuses } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import type { Check } from './check.ts';

/** The columns of a board, in their order. */
const columns = sql.raw(taskStatuses.map((status) => `'${status}'`).join(', '));

/** Projects, tasks and their parts. */
export const workChecks: readonly Check[] = [
  {
    name: 'places',
    claim: 'Every project and task has a place of its own, and a number that no later one gets',
    violations: sql`
      select 'project ' || id || ' has no place' as subject from projects where rank = ''
      union all
      select 'task ' || id || ' has no place' from tasks where rank = ''
      union all
      select 'project ' || projects.id || ' gives number ' || projects.next_task_number || ' twice'
      from projects
      join tasks on tasks.organization_id = projects.organization_id and tasks.project_id = projects.id
      group by projects.organization_id, projects.id
      having max(tasks.number) >= projects.next_task_number`,
  },
  {
    name: 'sections',
    claim: 'The sections of a column of tasks are exact, where it has any',
    violations: sql`
      with sections as (
        select organization_id, project_id, status, starts_at, task_count,
          lead(starts_at) over (
            partition by organization_id, project_id, status order by starts_at) as ends_at
        from column_sections)
      select 'project ' || project_id || ' ' || status || ' from ''' || starts_at || '''' as subject
      from sections
      where task_count <> (
        select count(*) from tasks
        where tasks.organization_id = sections.organization_id
          and tasks.project_id = sections.project_id and tasks.status = sections.status
          and tasks.rank >= sections.starts_at
          and (sections.ends_at is null or tasks.rank < sections.ends_at))
      union all
      select 'project ' || project_id || ' ' || status || ' begins late'
      from column_sections group by organization_id, project_id, status having min(starts_at) <> ''`,
  },
  {
    name: 'task-counts',
    claim: 'The tasks counted for a column of a project are those in it',
    violations: sql`
      select 'project ' || projects.id || ' ' || columns.status as subject
      from projects
      join unnest(array[${columns}]) with ordinality as columns (status, place) on true
      where projects.task_counts[place] <> (
        select count(*) from tasks
        where tasks.organization_id = projects.organization_id and tasks.project_id = projects.id
          and tasks.status = columns.status)`,
  },
  {
    name: 'subtask-counts',
    claim: 'The subtasks counted for a task are those that name it, in its project, and have none',
    violations: sql`
      select 'task ' || parent.id as subject
      from tasks parent
      left join lateral (
        select count(*) as total, count(*) filter (where status = 'DONE') as completed
        from tasks where tasks.organization_id = parent.organization_id and tasks.parent_id = parent.id
      ) counted on true
      where parent.subtask_count <> counted.total or parent.completed_subtask_count <> counted.completed
      union all
      select 'task ' || tasks.id || ' is a subtask of ' || parent.id
      from tasks
      join tasks parent
        on parent.organization_id = tasks.organization_id and parent.id = tasks.parent_id
      where parent.project_id <> tasks.project_id or parent.parent_id is not null`,
  },
  {
    name: 'assignees',
    claim: 'Who is to do a task is a member',
    violations: sql`
      select 'task ' || task_id || ' user ' || user_id as subject
      from task_assignees
      where not exists (
        select 1 from memberships
        where memberships.organization_id = task_assignees.organization_id
          and memberships.user_id = task_assignees.user_id)`,
  },
  {
    name: 'idempotency-responses',
    claim: 'A used idempotency key has a whole response, or none yet',
    violations: sql`
      select 'key of ' || operation || ' by ' || scope as subject
      from idempotency_keys
      where num_nonnulls(status, headers, body) not in (0, 3)`,
  },
];
