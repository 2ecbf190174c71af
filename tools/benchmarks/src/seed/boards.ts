import { randomUUID } from 'node:crypto';
import { generateNKeysBetween } from 'fractional-indexing';
import type { Sql } from 'postgres';

interface Team {
  readonly organizationId: string;
  readonly memberIds: readonly string[];
}

/** Inserts a project with tasks in every column, assignees and comments. */
export async function seedTasks(sql: Sql, team: Team, taskCount: number): Promise<void> {
  const { organizationId } = team;
  const memberIds = [...team.memberIds];
  const projectId = await insertProject(sql, team, { key: 'WORK', rank: 'a0' });
  await sql`
    insert into tasks (organization_id, id, project_id, number, title, title_folded, description, status, priority,
      due_date, rank, completed_at, created_by, created_at, updated_at)
    select ${organizationId}, uuidv7(), ${projectId}, n, 'Prepare the release, step ' || n, 'prepare the release, step ' || n,
      repeat('What is to be done, and how to know that it is done. ', 4), status,
      (array['NONE', 'LOW', 'MEDIUM', 'HIGH', 'URGENT'])[n % 5 + 1],
      case when n % 3 = 0 then now() + n * interval '1 hour' end, rank,
      case when status = 'DONE' then now() end,
      (${memberIds}::uuid[])[n % ${memberIds.length}::int + 1],
      now() - (${taskCount}::int - n) * interval '7 minutes', now()
    from unnest(${ranksOf(taskCount)}::text[]) with ordinality as ranked (rank, n),
      lateral (select (array['BACKLOG', 'TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE', 'CANCELLED'])[n % 6 + 1] as status) as with_status`;
  await sql`update projects set next_task_number = ${taskCount + 1} where id = ${projectId}`;
  await sql`
    insert into task_assignees (organization_id, task_id, user_id, assigned_at)
    select organization_id, id, (${memberIds}::uuid[])[(number + nth) % ${memberIds.length}::int + 1], now()
    from tasks, generate_series(1, 2) nth where organization_id = ${organizationId} and nth <= 1 + number % 2`;
  await sql`
    insert into comments (organization_id, id, task_id, author_id, body, created_at)
    select organization_id, uuidv7(), id, (${memberIds}::uuid[])[(number + nth) % ${memberIds.length}::int + 1],
      'Seen, and taken over into the plan for next week.', now() + nth * interval '1 second'
    from tasks, generate_series(1, 3) nth where organization_id = ${organizationId}`;
}

/** Inserts a project whose tasks are all in one column. @returns its id */
export async function seedColumn(
  sql: Sql,
  team: Team,
  column: { key: string; taskCount: number; projectRank: string },
): Promise<string> {
  const { key, taskCount, projectRank } = column;
  const { organizationId } = team;
  const projectId = await insertProject(sql, team, { key, rank: projectRank });
  await sql`
    insert into tasks (organization_id, id, project_id, number, title, title_folded, status, priority, rank, created_by,
      created_at, updated_at)
    select ${organizationId}, uuidv7(), ${projectId}, n, 'Task ' || n, 'task ' || n, 'TODO', 'NONE', rank,
      ${team.memberIds[0] ?? null}, now(), now()
    from unnest(${ranksOf(taskCount)}::text[]) with ordinality as ranked (rank, n)`;
  await sql`update projects set next_task_number = ${taskCount + 1} where id = ${projectId}`;
  return projectId;
}

async function insertProject(
  sql: Sql,
  { organizationId, memberIds }: Team,
  { key, rank }: { key: string; rank: string },
): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into projects (organization_id, id, name, key, status, rank, created_by, created_at, updated_at)
    values (${organizationId}, ${id}, ${key}, ${key}, 'ACTIVE', ${rank}, ${memberIds[0] ?? null}, now(), now())`;
  return id;
}

function ranksOf(count: number): string[] {
  return generateNKeysBetween(null, null, count);
}
