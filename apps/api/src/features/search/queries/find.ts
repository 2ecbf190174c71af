import type { SearchType } from '@atelier/contract';
import { sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';
import { startingWith } from '../../../db/patterns.ts';
import { searchDocuments } from '../../../db/generated/schema.ts';
import { displayOf, type Displayed } from './display.ts';
import { livingRow, type LivingScope } from './living.ts';
import { arrayOf, within } from './scope.ts';

/** Where a page ends. The score is the text of a number. */
export interface Position {
  readonly score: string;
  readonly id: string;
  readonly organizationId: string;
}

export interface Finding {
  readonly scope: LivingScope;
  /** What the caller may find; those beside `shown` are only counted. */
  readonly types: readonly SearchType[];
  readonly shown: readonly SearchType[];
  /** Of the database's query language, made of quoted words; null: everything. */
  readonly words: string | null;
  /** What has to occur, in the same language; null: nothing has to. */
  readonly wanted: string | null;
  /** What may not occur, in the same language; null: anything may. */
  readonly unwanted: string | null;
  /** What is looked through; together without duplicates. */
  readonly arms: readonly ('titles' | 'title words' | 'words' | 'similar')[];
  /** The whole query, folded, which titles may equal or begin with; empty: none do. */
  readonly title: string;
  /** Folded words that similar titles resemble; empty: only what has the words is found. */
  readonly similar: readonly string[];
  /** Whether titles of collections may decide which assets match, and in which order. */
  readonly mayReadCollections: boolean;
  /** ISO 8601: the age of what is found counts from here. */
  readonly asOf: string;
  /** Whether later rows are left out: they are not in the totals of the first page. */
  readonly isContinued: boolean;
  readonly after: Position | null;
  readonly limit: number;
  /** Documents that are looked at; null: all. */
  readonly maxDocuments: number | null;
}

export interface FoundRow extends Displayed {
  readonly type: SearchType;
  readonly id: string;
  readonly organizationId: string;
  readonly match: 'exact' | 'words' | 'similar';
  readonly score: string;
}

export interface Found {
  readonly rows: readonly FoundRow[];
  /** More than {@link countedHits} together: there are more. */
  readonly counts: Partial<Record<SearchType, number>>;
}

/** Where ranking and counting stop: each row costs a look at its resource. */
export const countedHits = 1_000;

const maxCounted = sql.raw(String(countedHits + 1));
/**
 * Titles that begin with the query are found also where too many rows match to rank all. In the order of an index, so that
 * nothing else is looked at.
 */
const inOrderOfTitles = sql.raw('order by d.title_folded using ~<~ limit 200');
const maxSimilar = sql.raw('100');
/** Titles among which those are chosen. */
const maxResembling = 1_000;
const ageOf = (at: string) =>
  sql`greatest(extract(epoch from ${at}::timestamptz - living.created_at), 0)::float8 / 86400`;

/** Finds and counts in one statement: what can't be found isn't counted. */
export async function findDocuments(tx: Transaction, finding: Finding): Promise<Found> {
  const found = matchesOf(finding);
  if (!found) return { rows: [], counts: {} };
  const { after: position, limit, shown } = finding;
  const beyond = position
    ? sql`and (score, id, organization_id) <
        (${position.score}::float8, ${position.id}::uuid, ${position.organizationId}::uuid)`
    : sql``;
  const [row] = await tx.execute<{ rows: FoundRow[] | null; counts: Found['counts'] | null }>(sql`
    with matches as materialized (${found}),
    page as (
      select * from matches where type = any(${arrayOf(shown, 'text')}) ${beyond}
      order by score desc, id desc, organization_id desc limit ${limit}
    )
    select counted.counts, shown.rows from
      (select json_object_agg(type, count) as counts
        from (select type, count(*)::int as count from matches group by type) as of_type) as counted,
      (select json_agg(jsonb_build_object('type', page.type, 'id', page.id, 'organizationId', page.organization_id,
          'match', page.match, 'score', page.score::text) || displayed.fields
          order by page.score desc, page.id desc, page.organization_id desc) as rows
        from page join lateral (${displayOf(finding.scope.organizationIds)}) as displayed
          on displayed.organization_id = page.organization_id) as shown`);
  return { rows: row?.rows ?? [], counts: row?.counts ?? {} };
}

/** What is looked for, with the living row of each document. */
interface LivingFinding extends Finding {
  readonly living: SQL;
}

/** @returns null if nothing can match */
function matchesOf(finding: Finding): SQL | null {
  const living = livingRow(finding.scope);
  return living && matches({ ...finding, living });
}

function matches(finding: LivingFinding): SQL {
  const { types, shown } = finding;
  const begins = sql`d.title_folded like ${startingWith(finding.title)} and ${hasWords(finding)}`;
  const others = types.filter((type) => !shown.includes(type));
  const arms = finding.arms.flatMap((arm) => {
    switch (arm) {
      case 'titles':
        return [armOf(finding, { types, where: begins, limit: inOrderOfTitles })];
      case 'title words':
        return [
          armOf(finding, {
            types,
            where: hasTitleWords(finding),
            limit: sql`limit ${maxCounted}`,
          }),
        ];
      case 'words': {
        // Each by itself: where there are too many to count, those that are shown come first.
        const parts = others.length === 0 ? [types] : [shown, others];
        return parts.map((part) =>
          armOf(finding, {
            types: part,
            where: hasWords(finding),
            limit: sql`limit ${maxCounted}`,
          }),
        );
      }
      case 'similar':
        return [similarArm(finding)];
    }
  });
  // Without duplicates: the same document has the same score in both.
  return sql.join(arms, sql` union `);
}

/** The words of a document by which the caller may find it. Those of weight C of an asset are the title of its collection. */
function readableWords({ mayReadCollections }: Finding): SQL {
  return mayReadCollections
    ? sql`d.words`
    : sql`case when d.type = 'asset' then ts_filter(d.words, '{a,b,d}') else d.words end`;
}

function hasWords(finding: Finding): SQL {
  const { words, wanted, mayReadCollections } = finding;
  if (words === null) return sql`true`;
  const matches = sql`${readableWords(finding)} @@ ${words}::tsquery`;
  // Only the words as they are stored have an index. Excluded ones, compared with these, would tell of titles of collections.
  return mayReadCollections || wanted === null
    ? matches
    : sql`d.words @@ ${wanted}::tsquery and ${matches}`;
}

/** With an index of its own: it has only these words. */
function hasTitleWords({ words }: Finding): SQL {
  return words === null ? sql`true` : sql`ts_filter(d.words, '{a,b}') @@ ${words}::tsquery`;
}

interface Arm {
  readonly types: readonly SearchType[];
  readonly where: SQL;
  /** Documents that are looked at; all of them, if the finding looks at all. */
  readonly most?: number;
}

function armOf(finding: LivingFinding, { limit, ...arm }: Arm & { readonly limit: SQL }): SQL {
  const { title, words, asOf } = finding;
  const rank =
    words === null
      ? sql`0`
      : sql`20 * ts_rank_cd('{0.15, 0.3, 0.6, 1.0}', ${readableWords(finding)}, ${words}::tsquery)`;
  const titled =
    title === ''
      ? sql`0`
      : sql`case when d.title_folded = ${title} then 100 when d.title_folded like ${startingWith(title)} then 50 else 0 end`;
  const isExact =
    title === '' ? sql`living.is_exact` : sql`(living.is_exact or d.title_folded = ${title})`;
  return sql`(
    select d.organization_id, d.type, d.resource_id as id,
      case when ${isExact} then 'exact' else 'words' end::text as match,
      ((case when living.is_exact then 1000 else 0 end + ${titled} + ${rank})::float8
        * (1 + 1 / (1 + ${ageOf(asOf)} / 90)) * (case when living.is_own then 1.2 else 1 end))::float8 as score
    ${fromDocuments(finding, arm)} ${limit})`;
}

/** Below all others: their scores are negative. */
function similarArm(finding: LivingFinding): SQL {
  const { similar, unwanted } = finding;
  const isUnwanted =
    unwanted === null ? sql`false` : sql`${readableWords(finding)} @@ ${unwanted}::tsquery`;
  const resembling = similar.map((word) => sql`${word} <% d.title_folded`);
  const similarity = similar.map((word) => sql`word_similarity(${word}, d.title_folded)`);
  const where = sql`${sql.join(resembling, sql` and `)} and not (${hasWords(finding)}) and not (${isUnwanted})`;
  return sql`(
    select d.organization_id, d.type, d.resource_id as id, 'similar'::text as match,
      ((${sql.join(similarity, sql` + `)}) / ${similar.length}::int - 10)::float8 as score
    ${fromDocuments(finding, { types: finding.types, where, most: maxResembling })}
    order by score desc, d.resource_id desc limit ${maxSimilar})`;
}

function fromDocuments(finding: LivingFinding, { types, where, most }: Arm): SQL {
  const { scope, living, isContinued, asOf } = finding;
  const maxDocuments = finding.maxDocuments ?? most ?? null;
  const documents = sql`select d.organization_id, d.type, d.resource_id, d.project_id, d.title_folded, d.words
    from ${searchDocuments} as d
    where ${within(scope.organizationIds, sql`d.organization_id`)} and ${where} and d.type = any(${arrayOf(types, 'text')})`;
  const from =
    maxDocuments === null
      ? sql`(${documents}) as d`
      : sql`(${documents} limit ${sql.raw(String(maxDocuments))}) as d`;
  return sql`from ${from} join lateral (${living}) as living on living.organization_id = d.organization_id
    ${isContinued ? sql`where living.created_at <= ${asOf}::timestamptz` : sql``}`;
}
