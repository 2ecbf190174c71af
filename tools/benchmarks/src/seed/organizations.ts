import type { Sql } from 'postgres';

const assetsEach = 100;

/** Inserts organizations with 100 assets and activities each, until there are as many as wanted. */
export async function seedManyOrganizations(
  sql: Sql,
  { upTo, ownerId }: { upTo: number; ownerId: string },
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local synchronous_commit = off`;
    await tx`
      create temporary table added on commit drop as
      select uuidv7() as id, uuidv7() as collection_id, n
      from generate_series(1 + (select count(*) from organizations where slug like 'beside-%')::int, ${upTo}::int) n`;
    await tx`
      insert into organizations (id, name, slug, type, owner_id, created_at, updated_at)
      select id, 'Beside ' || n, 'beside-' || n, 'TEAM', ${ownerId}, now(), now() from added`;
    await tx`
      insert into memberships (id, organization_id, user_id, role, status, joined_at)
      select uuidv7(), id, ${ownerId}, 'OWNER', 'ACTIVE', now() from added`;
    await tx`
      insert into collections (id, organization_id, title, created_by, created_at, updated_at)
      select collection_id, id, 'Collection', ${ownerId}, now(), now() from added`;
    await tx`
      insert into assets (id, organization_id, collection_id, name, name_folded, content_type, file_size_bytes,
        current_version, short_code, created_by, created_at, updated_at)
      select uuidv7(), id, collection_id, 'Asset ' || n || '.png', 'asset ' || n || '.png', 'image/png', 1000, 1,
        left(md5(id::text || n || nth), 16), ${ownerId}, now(), now()
      from added, generate_series(1, ${assetsEach}::int) nth`;
    await tx`
      insert into activities (id, action, actor_id, organization_id, resource_type, resource_id, resource_name,
        changes, metadata, request_id, created_at)
      select uuidv7(), 'asset.create', ${ownerId}, id, 'asset', uuidv7(), 'Asset ' || nth, '[]', '{}',
        uuidv7()::text, now()
      from added, generate_series(1, ${assetsEach}::int) nth`;
  });
}
