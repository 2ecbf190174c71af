import {
  parseSearchQuery,
  searchTypes,
  type SearchPage,
  type SearchQuery,
  type SearchType,
  type Suggestion,
} from '@atelier/contract';
import type { Database } from '../../db/executor.ts';
import { everywhere, withinReach } from '../../db/scopes.ts';
import type { Deps } from '../../deps.ts';
import { loadFold, type Fold } from '../../domain/folding.ts';
import { replicaReads } from '../../domain/replica-reads.ts';
import { apiKeyOf, type MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { pageOf, type CursorPosition } from '../../kernel/pagination.ts';
import { conditionsOf, type Filters } from './conditions.ts';
import { correctedQuery } from './correction.ts';
import { presentHits, presentSuggestion, titleOf } from './present.ts';
import { readableBy, type Readable } from './policy.ts';
import {
  countedHits,
  findDocuments,
  type Finding,
  type Found,
  type FoundRow,
} from './queries/find.ts';
import { findSearchable } from './queries/organizations.ts';
import { limitTime, wasStopped, type OrganizationIds } from './queries/scope.ts';
import {
  foldQuery,
  hasFilter,
  similarityFor,
  similarWordsOf,
  titleOf as titleOfQuery,
  tsqueryOf,
  unwantedOf,
  type FoldedQuery,
} from './query.ts';

/** Shares of the time of a search: of its statement, of one for similar titles, and of one that looks at less. */
const searchShares = { whole: 1, similar: 0.45, part: 0.2, suggestions: 0.25 };
/** Documents that are looked at when looking at all of them takes too long. */
const partDocuments = 500;
/** Documents of which suggestions are made. */
const suggestedDocuments = 200;
/** With fewer hits, similar titles follow. */
const fewHits = 5;
const maxSuggestions = 10;

interface FindRequest extends Filters {
  readonly q: string;
  /** Separated by commas. */
  readonly types?: string | undefined;
  readonly scope: 'organization' | 'everywhere';
  readonly limit: number;
  readonly cursor?: string | undefined;
}

type SuggestRequest = Pick<FindRequest, 'q' | 'types'> & Filters;

/** What a search needs: less than other features. */
interface SearchDeps extends Pick<Deps, 'db' | 'replica' | 'scopes' | 'clock' | 'cursors'> {
  readonly config: Pick<Deps['config'], 'SEARCH_TIMEOUT_MS'>;
  readonly store: Pick<Deps['store'], 'presignDownload'>;
  readonly log: Pick<Deps['log'], 'warn'>;
}

/** The member who searches. */
interface Searcher extends Pick<MemberContext, 'role' | 'credential'> {
  readonly user: Pick<MemberContext['user'], 'id'>;
  readonly organization: Pick<MemberContext['organization'], 'id'>;
}

/** A query that was read. */
interface Asked {
  readonly query: SearchQuery;
  readonly folded: FoldedQuery;
  readonly fold: Fold;
  readonly readable: Readable;
  readonly shown: readonly SearchType[];
  readonly title: string;
}

/** Where a page continues: as the pages before were found. */
interface Continued {
  readonly score: string;
  readonly organizationId: string;
  readonly asOf: string;
  readonly isSimilar: boolean;
}

/**
 * Searches what a caller may read. The index decides what matches; everything else is read from the resources in the same
 * statement.
 *
 * @see docs/decisions/0087-search.md
 */
export function searchUseCases(deps: SearchDeps) {
  const { db, clock, cursors, scopes, store, config } = deps;
  const timeOf = (share: keyof typeof searchShares) =>
    Math.ceil(config.SEARCH_TIMEOUT_MS * searchShares[share]);
  const read = replicaReads(deps);

  return {
    /** @throws Failure `search_query_invalid` (400), `validation_failed` (400) for a cursor of another query */
    async find(request: FindRequest, ctx: Searcher): Promise<SearchPage> {
      const asked = await askedBy(request, ctx);
      const { limit, cursor, ...rest } = request;
      const list = `search:${JSON.stringify([ctx.user.id, ctx.organization.id, rest])}`;
      const position = cursor === undefined ? null : cursors.decode(list, cursor);
      const continued = position && (JSON.parse(position.sortValue) as Continued);
      const asOf = continued?.asOf ?? clock.now().toISOString();
      const parts = {
        arms: armsOf(asked),
        words: tsqueryOf(asked.folded, 'anywhere'),
        similar: similarWordsOf(asked.folded),
        after: continued && { ...continued, id: position?.id ?? '' },
        asOf,
        limit: limit + 1,
      };
      const result = await findIn(request, { asked, parts, ctx });
      const { rows, counts, isSimilar, isComplete } = result;
      const totals = totalsOf(counts, asked.shown);
      const { items, pagination } = pageOf(
        { rows, total: totals.all, isTotalLowerBound: !isWhole(counts) || !isComplete },
        { limit },
        {
          list,
          cursors,
          positionOf: ({ score, id, organizationId }): CursorPosition => ({
            sortValue: JSON.stringify({
              score,
              organizationId,
              asOf,
              isSimilar,
            } satisfies Continued),
            id,
          }),
          present: (row) => row,
        },
      );
      const hasWords = rows.some(({ match }) => match !== 'similar') || continued !== null;
      return {
        items: await presentHits(store, items, { terms: asked.folded.terms, ...asked }),
        pagination,
        totals: {
          ...totals,
          ...((!isWhole(counts) || !isComplete) && { isTotalLowerBound: true as const }),
        },
        isComplete: isComplete && !asked.query.isCut,
        correctedQuery: hasWords
          ? null
          : correctedQuery(asked.query, rows.map(titleOf), asked.fold),
      };
    },

    /** @throws Failure `search_query_invalid` (400) */
    async suggest(request: SuggestRequest, ctx: Searcher): Promise<{ items: Suggestion[] }> {
      const asked = await askedBy(request, ctx);
      const parts = {
        words: tsqueryOf(asked.folded, 'in titles'),
        similar: [],
        after: null,
        asOf: clock.now().toISOString(),
        limit: maxSuggestions,
      };
      const rows = await suggestIn(request, { asked, parts, ctx });
      const shown = { terms: asked.folded.terms, ...asked };
      return { items: rows.map((row) => presentSuggestion(row, shown)) };
    },
  };

  type Parts = Pick<Finding, 'arms' | 'words' | 'similar' | 'asOf' | 'limit'> & {
    readonly after: (Continued & { readonly id: string }) | null;
  };

  async function findIn(
    request: FindRequest,
    { asked, parts, ctx }: { asked: Asked; parts: Parts; ctx: Searcher },
  ): Promise<Found & { isSimilar: boolean; isComplete: boolean }> {
    const { similar, after } = parts;
    const withSimilar = { ...parts, arms: [...parts.arms, 'similar'] } satisfies Parts;
    return inScope(request.scope, ctx, async (reader, organizationIds) => {
      const attempt = (wanted: Parts, maxDocuments: number | null, ms: number) =>
        tryToFind(reader, {
          ms,
          similarity: similarityFor(similar),
          find: { request, asked, ctx, organizationIds, maxDocuments, parts: wanted },
        });
      const isSimilar = after?.isSimilar ?? false;
      const found = await attempt(isSimilar ? withSimilar : parts, null, timeOf('whole'));
      if (!found) {
        const part = await attempt(parts, partDocuments, timeOf('part'));
        return { rows: [], counts: {}, ...part, isSimilar: false, isComplete: false };
      }
      const hits = Object.values(found.counts).reduce((sum, count) => sum + count, 0);
      if (after !== null || hits >= fewHits || similar.length === 0) {
        return { ...found, isSimilar, isComplete: true };
      }
      const more = await attempt({ ...parts, arms: ['similar'] }, null, timeOf('similar'));
      if (!more) return { ...found, isSimilar: false, isComplete: false };
      return { ...withMore(found, more, parts.limit), isSimilar: true, isComplete: true };
    });
  }

  async function suggestIn(
    request: SuggestRequest,
    { asked, parts, ctx }: { asked: Asked; parts: Omit<Parts, 'arms'>; ctx: Searcher },
  ): Promise<readonly FoundRow[]> {
    return inScope('organization', ctx, async (reader, organizationIds) => {
      const attempt = (arms: Finding['arms'], maxDocuments: number | null, ms: number) =>
        tryToFind(reader, {
          ms,
          similarity: 1,
          find: { request, asked, ctx, organizationIds, maxDocuments, parts: { ...parts, arms } },
        });
      const beginning = asked.title === '' ? null : await attempt(['titles'], null, timeOf('part'));
      const begins = beginning?.rows ?? [];
      if (begins.length === maxSuggestions) return begins;
      const found = await attempt(['title words'], suggestedDocuments, timeOf('suggestions'));
      return bestOf([...begins, ...(found?.rows ?? [])]);
    });
  }

  /** @param work - gets a way to read the organizations, and their ids */
  async function inScope<Result>(
    scope: FindRequest['scope'],
    ctx: Searcher,
    work: (reader: Reader, organizationIds: OrganizationIds) => Promise<Result>,
  ): Promise<Result> {
    const ofRequest = ctx.organization.id;
    if (scope === 'organization') {
      return work((run) => read({ organizationId: ofRequest }, run), [ofRequest]);
    }
    const caller = { userId: ctx.user.id, apiKeyId: apiKeyOf(ctx), now: clock.now() };
    const [first, ...others] = await everywhere(scopes, () => findSearchable(db, caller));
    if (first === undefined) throw new Failure('organization_access_denied');
    const ids: OrganizationIds = [first, ...others];
    return withinReach(scopes, ids, () => work((run) => run(db), ids));
  }

  interface Attempt {
    readonly ms: number;
    readonly similarity: number;
    readonly find: {
      readonly request: Filters;
      readonly asked: Asked;
      readonly ctx: Searcher;
      readonly organizationIds: OrganizationIds;
      readonly maxDocuments: number | null;
      readonly parts: Parts;
    };
  }

  /** @returns null if the time was over before the statement was */
  async function tryToFind(
    reader: Reader,
    { ms, similarity, find }: Attempt,
  ): Promise<Found | null> {
    const { request, asked, ctx, organizationIds, maxDocuments, parts } = find;
    const { query, fold, readable } = asked;
    return reader(async (database) => {
      try {
        return await database.transaction(async (tx) => {
          await limitTime(tx, { ms, similarity });
          const conditions = await conditionsOf(
            tx,
            { query, filters: request },
            { organizationIds, viewerId: ctx.user.id, fold, readable },
          );
          const now = clock.now().toISOString();
          const { taskNumber } = query;
          return findDocuments(tx, {
            ...parts,
            scope: { organizationIds, conditions, viewerId: ctx.user.id, now, taskNumber },
            types: readable.types,
            shown: asked.shown,
            title: asked.title,
            wanted: tsqueryOf({ ...asked.folded, excluded: [] }, 'anywhere'),
            unwanted: unwantedOf(asked.folded),
            mayReadCollections: readable.collections,
            isContinued: parts.after !== null,
            maxDocuments,
          });
        });
      } catch (error) {
        if (!wasStopped(error)) throw error;
        return null;
      }
    });
  }
}

type Reader = <Result>(run: (db: Database) => Promise<Result>) => Promise<Result>;

/** @throws Failure `search_query_invalid` (400) */
async function askedBy({ q, types }: SuggestRequest, ctx: Searcher): Promise<Asked> {
  const query = parseSearchQuery(q);
  const fold = await loadFold();
  const folded = foldQuery(query, fold);
  if (folded.terms.length === 0 && !hasFilter(query)) throw new Failure('search_query_invalid');
  const readable = readableBy(ctx);
  const { types: named } = query.filters;
  const asked = types?.split(',');
  const shown = readable.types.filter(
    (type) => (asked?.includes(type) ?? true) && (named.length === 0 || named.includes(type)),
  );
  const title = titleOfQuery(q, { query, folded, fold });
  return { query, folded, fold, readable, shown, title };
}

/** @returns the best rows, each resource once: in both lists it has the same score */
function bestOf(rows: readonly FoundRow[]): FoundRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...byId.values()]
    .toSorted((one, other) => Number(other.score) - Number(one.score))
    .slice(0, maxSuggestions);
}

/** @param more - what comes after everything that was found: only similar titles have scores below zero */
function withMore(found: Found, more: Found, limit: number): Found {
  const types = new Set([...typesIn(found.counts), ...typesIn(more.counts)]);
  return {
    rows: [...found.rows, ...more.rows].slice(0, limit),
    counts: Object.fromEntries(
      [...types].map((type) => [type, (found.counts[type] ?? 0) + (more.counts[type] ?? 0)]),
    ),
  };
}

/** The keys are those of the statement. */
const typesIn = (counts: Found['counts']) => Object.keys(counts) as SearchType[];

function armsOf({ title }: Asked): Finding['arms'] {
  return title === '' ? ['words'] : ['titles', 'words'];
}

function totalsOf(counts: Found['counts'], shown: readonly SearchType[]) {
  const all = shown.reduce((sum, type) => sum + (counts[type] ?? 0), 0);
  const byType = searchTypes.map((type) => [type, Math.min(counts[type] ?? 0, countedHits)]);
  return {
    all: Math.min(all, countedHits),
    byType: Object.fromEntries(byType) as Record<SearchType, number>,
  };
}

/** Whether all hits were counted. */
function isWhole(counts: Found['counts']): boolean {
  return Object.values(counts).reduce((sum, count) => sum + count, 0) <= countedHits;
}
