import { taskStatuses } from '@atelier/contract';
import { sql, type Placeholder, type SQL } from 'drizzle-orm';
import { statement } from '../../../db/session/statement.ts';
import type { TaskStatus } from '../policy.ts';

/** A longer column isn't kept: its sections are the cheaper way to a position. */
const maxRanks = 20_000;

const statuses = sql.raw(`array[${taskStatuses.map((status) => `'${status}'`).join(', ')}]`);

/** The marks of each project's columns, in the order of the statuses; null where no trigger keeps them. */
export type ColumnMarks = Readonly<Record<string, readonly string[] | null>>;

/**
 * The marks of all projects of a page, for a statement that reads the ranks from `task`. One of the page's rows has them:
 * read for each task, they would cost a third of what they save.
 */
export function marksOfPage({
  organizationId,
}: {
  organizationId: string | Placeholder;
}): SQL<ColumnMarks | null> {
  return sql<ColumnMarks | null>`case when row_number() over () = 1 then (
    select json_object_agg(projects.id, projects.column_marks) from projects
    where projects.organization_id = ${organizationId} and projects.id in (select project_id from task)
  ) end`;
}

/**
 * The marks of columns and, unless they are too many, their ranks in order with a space between two. One statement reads
 * both, so the ranks are those of the mark.
 */
export const ranksOfColumns = statement((db) => {
  const organizationId = sql.placeholder('organizationId');
  return db
    .select({
      projectId: sql<string>`wanted.project_id`,
      status: sql<TaskStatus>`wanted.status`,
      mark: sql<string | null>`(
        select column_marks from projects
        where projects.organization_id = ${organizationId} and projects.id = wanted.project_id
      )[array_position(${statuses}, wanted.status)]`,
      ranks: sql<string | null>`(
        select case when count(*) <= ${sql.raw(String(maxRanks))} then coalesce(string_agg(rank, ' ' order by rank), '') end
        from (
          select rank from tasks
          where tasks.organization_id = ${organizationId} and tasks.project_id = wanted.project_id
            and tasks.status = wanted.status
          order by rank limit ${sql.raw(String(maxRanks + 1))}
        ) ordered
      )`,
    })
    .from(
      sql`unnest(${sql.placeholder('projectIds')}::uuid[], ${sql.placeholder('statuses')}::text[]) wanted (project_id, status)`,
    );
});
