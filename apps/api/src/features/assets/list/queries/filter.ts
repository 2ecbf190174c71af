import type { ReviewStatus } from '@atelier/contract';
import {
  and,
  arrayContains,
  eq,
  inArray,
  isNull,
  like,
  or,
  sql,
  type Placeholder,
  type SQL,
} from 'drizzle-orm';
import { countColumn, countedMatches, countedRows } from '../../../../db/count.ts';
import {
  assetFavorites,
  assets,
  assetVersions,
  organizationUsage,
} from '../../../../db/generated/schema.ts';
import {
  foldedContains,
  nameContains,
  patternsOf,
  startingWith,
  type SearchedText,
} from '../../../../db/patterns.ts';

export interface AssetFilter {
  readonly organizationId: string;
  readonly viewerId: string;
  /** This person's only. */
  readonly createdBy?: string | undefined;
  readonly collectionId?: string | undefined;
  /** Prefix of the media type. */
  readonly type?: string | undefined;
  readonly favorite?: boolean | undefined;
  /** Of the current version. */
  readonly reviewStatus?: ReviewStatus | undefined;
  /** All of these, as they are compared. */
  readonly tagKeys?: readonly string[] | undefined;
  /** Of name, description or tags. */
  readonly contains?: SearchedText | undefined;
  /** Whole names. */
  readonly names?: readonly string[] | undefined;
}

/** The filter of a statement; a prepared one has parameters for the ids. */
export type BoundFilter = {
  readonly [Name in keyof AssetFilter]:
    | AssetFilter[Name]
    | (Name extends `${string}Id` | 'createdBy' ? Placeholder : never);
};

/** The condition for the assets of a list. */
export function matching(filter: BoundFilter): SQL | undefined {
  const { organizationId, viewerId, createdBy, collectionId } = filter;
  const { type, favorite, reviewStatus, tagKeys, contains, names } = filter;
  const marks = sql`(select ${assetFavorites.assetId} from ${assetFavorites} where ${assetFavorites.organizationId} = ${organizationId} and ${assetFavorites.userId} = ${viewerId})`;
  return and(
    eq(assets.organizationId, organizationId),
    isNull(assets.deletedAt),
    createdBy === undefined ? undefined : eq(assets.createdBy, createdBy),
    collectionId === undefined ? undefined : eq(assets.collectionId, collectionId),
    type === undefined ? undefined : like(assets.contentType, startingWith(type)),
    favorite === undefined
      ? undefined
      : sql`${assets.id} ${favorite ? sql`in` : sql`not in`} ${marks}`,
    reviewStatus === undefined ? undefined : hasReview(organizationId, reviewStatus),
    tagKeys === undefined ? undefined : arrayContains(assets.tagKeys, [...tagKeys]),
    contains && containsText(patternsOf(contains)),
    names === undefined ? undefined : inArray(assets.name, [...names]),
  );
}

function containsText(pattern: ReturnType<typeof patternsOf>): SQL | undefined {
  return or(
    nameContains({ name: assets.name, folded: assets.nameFolded }, pattern),
    foldedContains(assets.detailsFolded, pattern),
  );
}

function hasReview(organizationId: BoundFilter['organizationId'], status: ReviewStatus): SQL {
  const reviewed = sql`
    select from ${assetVersions} where ${assetVersions.organizationId} = ${organizationId}
      and ${assetVersions.assetId} = ${assets.id} and ${assetVersions.versionNumber} = ${assets.currentVersion}
      and ${assetVersions.reviewStatus}`;
  return status === 'NONE'
    ? sql`not exists (${reviewed} is not null)`
    : sql`exists (${reviewed} = ${status})`;
}

/**
 * The column with the count of a list. All assets of an organization are counted as they come and go.
 *
 * @param wanted - the condition of the filter; see {@link matching}
 */
export function countOf(filter: BoundFilter, wanted: SQL | undefined): SQL<number> {
  const counted = countColumn(assets, wanted, maxCountedOf(filter));
  const { organizationId, viewerId: _, ...narrowing } = filter;
  if (Object.values(narrowing).some((value) => value !== undefined)) return counted;
  const kept = sql`(select ${organizationUsage.assetCount} from ${organizationUsage} where ${organizationUsage.organizationId} = ${organizationId})`;
  return sql<number>`coalesce(${kept}, ${counted})`;
}

/** How far a list is counted. */
export function maxCountedOf({ contains }: BoundFilter): number {
  return contains === undefined ? countedRows : countedMatches;
}
