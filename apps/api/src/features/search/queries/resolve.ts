import { sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';
import { projects, searchDocuments } from '../../../db/generated/schema.ts';
import { arrayOf, within, type OrganizationIds } from './scope.ts';

/** More than these of one name are not told apart. */
const maxNamed = sql.raw('100');

interface NamedPlaces {
  readonly keys: readonly string[];
  readonly folded: readonly string[];
  /** Which of them to look for. */
  readonly places: { readonly projects: boolean; readonly collections: boolean };
}

/** Finds the projects with these keys or names, and the collections with these titles. */
export async function findPlaces(
  tx: Transaction,
  organizationIds: OrganizationIds,
  { keys, folded, places }: NamedPlaces,
): Promise<{ projects: string[]; collections: string[] }> {
  const types = [
    ...(places.projects ? [sql`'project'`] : []),
    ...(places.collections ? [sql`'collection'`] : []),
  ];
  if (types.length === 0) return { projects: [], collections: [] };
  const withKey = sql`(select 'project' as type, p.id from ${projects} as p
      where ${within(organizationIds, sql`p.organization_id`)} and p.key = any(${arrayOf(keys, 'text')}) limit ${maxNamed})`;
  const withTitle = sql`(select d.type, d.resource_id as id from ${searchDocuments} as d
      where ${within(organizationIds, sql`d.organization_id`)} and d.type in (${sql.join(types, sql`, `)})
        and d.title_folded = any(${arrayOf(folded, 'text')}) limit ${maxNamed})`;
  const rows = await tx.execute<{ type: 'project' | 'collection'; id: string }>(
    places.projects ? sql`${withKey} union ${withTitle}` : withTitle,
  );
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
    limit ${maxNamed}`);
  return rows.map(({ id }) => id);
}
