import type { Sql } from 'postgres';

/** Inserts what the index of search has of the assets and tasks of an organization. */
export async function seedSearchIndex(sql: Sql, organizationId: string): Promise<void> {
  await sql`
    insert into search_documents (organization_id, type, resource_id, project_id, title_folded, words, indexed_revision)
    select organization_id, 'task', id, project_id, title_folded,
      setweight(to_tsvector('simple', title_folded || ' ' || number), 'A'), 1
    from tasks where organization_id = ${organizationId}`;
  await sql`
    insert into search_documents (organization_id, type, resource_id, collection_id, title_folded, words, indexed_revision)
    select organization_id, 'asset', id, collection_id, name_folded,
      setweight(to_tsvector('simple', translate(name_folded, '_.', '  ')), 'A'), 1
    from assets where organization_id = ${organizationId} and deleted_at is null`;
}
