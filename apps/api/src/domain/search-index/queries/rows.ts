import type { SearchType } from '@atelier/contract';
import { and, eq, gt, inArray, isNull, lte, notInArray, sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';
import { organizations, searchDocuments } from '../../../db/generated/schema.ts';
import { keepOrganizationRow } from '../../authority/queries.ts';
import { lockNumberOf } from '../../log-positions/queries.ts';
import type { Source } from '../documents.ts';

/** The consumer of the activity log that writes the index. Its lock is that of the index. */
export const searchConsumer = 'search';

/** A resource with what is stored of it. */
export interface Indexed extends Source {
  readonly titleFolded: string;
  readonly words: string;
}

interface IndexKey {
  readonly organizationId: string;
  readonly type: SearchType;
}

/** Resources of an index. */
export type Among =
  | { readonly ids: readonly string[] }
  | {
      /** Null: from the first one. */
      readonly afterId: string | null;
      /** Null: up to the last one. */
      readonly upToId: string | null;
      readonly collectionId?: string | undefined;
    };

/** Writes rows where they have changed. */
export async function storeRows(
  tx: Transaction,
  { organizationId, type, revision }: IndexKey & { readonly revision: number },
  rows: readonly Indexed[],
): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map((row) => ({
    resource_id: row.id,
    task_id: row.taskId ?? null,
    project_id: row.projectId ?? null,
    collection_id: row.collectionId ?? null,
    person_id: row.personId ?? null,
    title_folded: row.titleFolded,
    words: row.words,
  }));
  await tx.execute(sql`
    insert into ${searchDocuments} as known (organization_id, type, resource_id, task_id, project_id, collection_id,
      person_id, title_folded, words, indexed_revision)
    select ${organizationId}, ${type}, resource_id, task_id, project_id, collection_id, person_id, title_folded,
      words::tsvector, ${revision}
    from jsonb_to_recordset(${JSON.stringify(values)}::text::jsonb) as given(resource_id uuid, task_id uuid,
      project_id uuid, collection_id uuid, person_id uuid, title_folded text, words text)
    on conflict (organization_id, type, resource_id) do update set task_id = excluded.task_id,
      project_id = excluded.project_id, collection_id = excluded.collection_id, person_id = excluded.person_id,
      title_folded = excluded.title_folded, words = excluded.words, indexed_revision = excluded.indexed_revision
    where (known.task_id, known.project_id, known.collection_id, known.person_id, known.title_folded, known.words,
      known.indexed_revision) is distinct from (excluded.task_id, excluded.project_id, excluded.collection_id,
      excluded.person_id, excluded.title_folded, excluded.words, excluded.indexed_revision)`);
}

/** Removes the rows of resources that are no longer there. */
export async function removeOthers(
  tx: Transaction,
  { organizationId, type }: IndexKey,
  { kept, among }: { readonly kept: readonly string[]; readonly among: Among },
): Promise<void> {
  await tx
    .delete(searchDocuments)
    .where(
      and(
        eq(searchDocuments.organizationId, organizationId),
        eq(searchDocuments.type, type),
        within(among),
        kept.length === 0 ? undefined : notInArray(searchDocuments.resourceId, [...kept]),
      ),
    );
}

function within(among: Among): SQL | undefined {
  const { resourceId } = searchDocuments;
  if ('ids' in among) return inArray(resourceId, [...among.ids]);
  const { afterId, upToId, collectionId } = among;
  return and(
    afterId === null ? undefined : gt(resourceId, afterId),
    upToId === null ? undefined : lte(resourceId, upToId),
    collectionId === undefined ? undefined : eq(searchDocuments.collectionId, collectionId),
  );
}

/** What others are part of. */
export interface Parents {
  readonly taskIds: readonly string[];
  readonly projectIds: readonly string[];
  readonly collectionIds: readonly string[];
}

/** Removes what is part of deleted resources. */
export async function removeParts(
  tx: Transaction,
  organizationId: string,
  { taskIds, projectIds, collectionIds }: Parents,
): Promise<void> {
  const { taskId, projectId, collectionId } = searchDocuments;
  for (const { column, ids } of [
    { column: taskId, ids: taskIds },
    { column: projectId, ids: projectIds },
    { column: collectionId, ids: collectionIds },
  ]) {
    if (ids.length === 0) continue;
    await tx
      .delete(searchDocuments)
      .where(and(eq(searchDocuments.organizationId, organizationId), inArray(column, [...ids])));
  }
}

/**
 * Waits until no other process writes the index of an organization, and keeps it from doing so until the commit.
 *
 * @returns false if the organization has been deleted; otherwise its deletion waits, too
 */
export async function lockIndex(tx: Transaction, organizationId: string): Promise<boolean> {
  const key = { organizationId, consumer: searchConsumer };
  await tx.execute(sql`select pg_advisory_xact_lock(${lockNumberOf(key)})`);
  await keepOrganizationRow(tx, organizationId);
  const living = await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(and(eq(organizations.id, organizationId), isNull(organizations.deletedAt)));
  return living.length > 0;
}
