import { sql } from 'drizzle-orm';
import type { TestApi } from './api.ts';
import type { FilledTeam } from './filled-team.ts';

export interface Growth {
  /** The number of other organizations, each with as many rows. */
  readonly organizations: number;
  /** Tasks, comments, assets and activities of each organization, including the team. */
  readonly rowsEach: number;
}

/**
 * Grows a database around a team: other organizations with as many records, and a large team itself.
 * Then updates the statistics of Postgres, so that plans reflect the data.
 */
export async function growDatabase(
  { db }: Pick<TestApi, 'db'>,
  team: FilledTeam,
  { organizations, rowsEach }: Growth,
): Promise<void> {
  const others = organizations - 1;
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      create temporary table grown on commit drop as
      select n, gen_random_uuid() as organization_id, gen_random_uuid() as user_id,
        gen_random_uuid() as project_id, gen_random_uuid() as collection_id
      from generate_series(1, ${others}::int) n`);
    await tx.execute(sql`
      insert into users (id, email, account_status, created_at, updated_at)
        select user_id, 'grown-' || n || '@example.com', 'VERIFIED', now(), now() from grown
        union all
        select gen_random_uuid(), 'grown-member-' || n || '@example.com', 'VERIFIED', now(), now()
        from generate_series(1, ${rowsEach}::int) n`);
    await tx.execute(sql`
      insert into sessions (id, user_id, created_at, last_used_at, expires_at)
      select gen_random_uuid(), users.id, now(), now(), now() + interval '1 day' from users`);
    await tx.execute(sql`
      insert into organizations (id, name, slug, type, owner_id, created_at, updated_at)
        select organization_id, 'Grown ' || n, 'grown-' || n, 'TEAM', user_id, now(), now() from grown
        union all
        select gen_random_uuid(), 'Own', 'own-' || users.id, 'PERSONAL', users.id, now(), now() from users
        where not exists (select from organizations o where o.owner_id = users.id and o.type = 'PERSONAL')`);
    await tx.execute(sql`
      insert into projects (organization_id, id, name, key, status, rank, created_by, created_at, updated_at)
      select organization_id, project_id, 'Grown', 'GROWN', 'ACTIVE', 'a0', user_id, now(), now() from grown`);
    await tx.execute(sql`
      insert into collections (id, organization_id, title, created_by, created_at, updated_at)
      select collection_id, organization_id, 'Grown', user_id, now(), now() from grown`);
    await tx.execute(sql`
      insert into grown values
        (0, ${team.organizationId}, ${team.ownerUserId}, ${team.projectId}, ${team.collectionId})`);
    await tx.execute(sql`
      update organizations set plan_code = 'BUSINESS' where id = ${team.organizationId}`);
    const rows = sql`grown, generate_series(1, ${rowsEach}::int) i`;
    for (const insertion of [...insertionsOfWork(rows), ...insertionsOfLibrary(rows)]) {
      await tx.execute(insertion);
    }
  });
  // Not allowed in a transaction. Updates the visibility map for index-only scans.
  await db.execute(sql`vacuum (analyze)`);
}

const insertionsOfWork = (rows: ReturnType<typeof sql>) => [
  sql`
    insert into memberships (id, organization_id, user_id, role, joined_at)
    select gen_random_uuid(), organization_id, users.id, 'MEMBER', now()
    from grown join users on users.email like 'grown-member-%0@example.com'`,
  sql`
    insert into invitations (organization_id, id, email, role, status, invited_by, created_at, expires_at)
    select organization_id, gen_random_uuid(), 'invited-' || i || '@example.com', 'MEMBER', 'REVOKED',
      user_id, now() - i * interval '1 minute', now() from ${rows} where i % 10 = 0`,
  sql`
    insert into projects (organization_id, id, name, key, status, rank, created_by, created_at, updated_at)
    select organization_id, gen_random_uuid(), 'More', 'M' || i, 'ACTIVE', 'b' || lpad(i::text, 5, '0') || 'V',
      user_id, now(), now() from ${rows} where i % 10 = 0`,
  sql`
    insert into tasks (organization_id, id, project_id, number, title, status, priority, due_date, rank,
      created_by, created_at, updated_at)
    select organization_id, gen_random_uuid(), project_id, i + 1000,
      'Task ' || i, (array['BACKLOG', 'TODO', 'IN_PROGRESS', 'IN_REVIEW', 'CANCELLED'])[i % 5 + 1], 'LOW',
      now() + i * interval '1 hour', 'b' || lpad(i::text, 6, '0') || 'V', user_id,
      now() - i * interval '1 minute', now() from ${rows}`,
  sql`
    insert into column_sections (organization_id, project_id, status, starts_at, task_count)
    select organization_id, project_id, status, '', count(*)::int
    from tasks where title like 'Task %' group by 1, 2, 3
    on conflict (organization_id, project_id, status, starts_at)
      do update set task_count = column_sections.task_count + excluded.task_count`,
  sql`
    insert into task_assignees (organization_id, task_id, user_id, assigned_at)
    select organization_id, id, created_by, now() from tasks where title like 'Task %'`,
  sql`
    insert into labels (organization_id, id, name, name_key, color, created_by, created_at, updated_at)
    select organization_id, gen_random_uuid(), 'Label ' || i, 'label ' || i, 'BLUE', user_id, now(), now()
    from ${rows} where i % 20 = 0`,
  sql`
    insert into task_labels (organization_id, task_id, label_id)
    select tasks.organization_id, tasks.id, labels.id from tasks
    join labels on labels.organization_id = tasks.organization_id and labels.name in ('Label 20', 'Label 40')
    where title like 'Task %'`,
  sql`
    insert into comments (organization_id, id, task_id, author_id, body, created_at)
    select organization_id, gen_random_uuid(), id, created_by, 'Seen', now() from tasks`,
  sql`
    insert into activities (id, action, actor_id, organization_id, resource_type, resource_id,
      resource_name, changes, created_at)
    select gen_random_uuid(), (array['task.create', 'task.update', 'task.move'])[i % 3 + 1], user_id,
      organization_id, 'task', gen_random_uuid(), 'Task', '[]', now() - i * interval '1 minute'
    from ${rows}`,
];

const insertionsOfLibrary = (rows: ReturnType<typeof sql>) => [
  sql`
    insert into collections (id, organization_id, title, created_by, created_at, updated_at, deleted_at)
    select gen_random_uuid(), organization_id, 'More ' || i, user_id, now() - i * interval '1 minute', now(),
      case when i % 100 = 0 then now() end from ${rows} where i % 10 = 0`,
  sql`
    create temporary table added on commit drop as
    select organization_id, user_id, collection_id, i, gen_random_uuid() as id,
      gen_random_uuid() as object_id from ${rows}`,
  sql`
    insert into stored_objects (organization_id, id, key, size_bytes, e_tag, created_at)
    select organization_id, object_id, 'grown/' || object_id, 1, 'tag', now() from added`,
  sql`
    insert into assets (id, organization_id, collection_id, name, content_type, file_size_bytes,
      current_version, short_code, created_by, created_at, updated_at, deleted_at, tags, tag_keys, details_folded)
    select id, organization_id, collection_id, md5(i::text) || '.png', 'image/png', i, 1, left(id::text, 16),
      user_id, now() - i * interval '1 minute', now(), case when i % 20 = 0 then now() end, tags, tags,
      array_to_string(tags, e'\\n')
    from added, lateral (select case when i % 2 = 0 then array['logo', 'rare ' || i] end as tags) as tagged`,
  sql`
    insert into asset_versions (asset_id, version_number, organization_id, stored_object_id, content_type,
      created_by, created_at)
    select id, 1, organization_id, object_id, 'image/png', user_id, now() from added`,
  sql`
    insert into asset_favorites (organization_id, user_id, asset_id, created_at)
    select organization_id, user_id, id, now() from added where i % 50 = 0`,
  sql`
    insert into uploads (id, organization_id, collection_id, user_id, key, file_name, content_type,
      file_size_bytes, part_size_bytes, status, created_at, expires_at)
    select gen_random_uuid(), organization_id, collection_id, user_id, 'grown/' || gen_random_uuid(), 'a.png',
      'image/png', 1, 1, 'ABORTED', now(), now() from added where i % 2 = 0`,
];
