import { sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';
import { projects, searchDocuments } from '../../../db/generated/schema.ts';
import { arrayOf, within, type OrganizationIds } from './scope.ts';

/** More than these of one name are not told apart. */
const mostNamed = sql.raw('100');

/** Finds the projects with these keys or names, and the collections with these titles. */
export async function findPlaces(
  tx: Transaction,
  organizationIds: OrganizationIds,
  { keys, folded }: { keys: readonly string[]; folded: readonly string[] },
): Promise<{ projects: string[]; collections: string[] }> {
  const rows = await tx.execute<{ type: 'project' | 'collection'; id: string }>(sql`
    (select 'project' as type, p.id from ${projects} as p
      where ${within(organizationIds, sql`p.organization_id`)} and p.key = any(${arrayOf(keys, 'text')}) limit ${mostNamed})
    union
    (select d.type, d.resource_id as id from ${searchDocuments} as d
      where ${within(organizationIds, sql`d.organization_id`)} and d.type in ('project', 'collection')
        and d.title_folded = any(${arrayOf(folded, 'text')}) limit ${mostNamed})`);
  const idsOf = (wanted: string) => rows.filter(({ type }) => type === wanted).map(({ id }) => id);
  return { projects: idsOf('project'), collections: idsOf('collection') };
}

/** Finds the persons that any of these queries matches: words of their names or emails. */
export async function findPersonsNamed(
  tx: Transaction,
  organizationIds: OrganizationIds,
  queries: readonly string[],
): Promise<string[]> {
  if (queries.length === 0) return [];
  const matches: SQL[] = queries.map((query) => sql`d.words @@ ${query}::tsquery`);
  const rows = await tx.execute<{ id: string }>(sql`
    select d.resource_id as id from ${searchDocuments} as d
    where ${within(organizationIds, sql`d.organization_id`)} and d.type = 'person' and (${sql.join(matches, sql` or `)})
    limit ${mostNamed}`);
  return rows.map(({ id }) => id);
}
