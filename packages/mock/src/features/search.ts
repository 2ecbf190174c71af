import {
  maxSuggestions,
  parseSearchQuery,
  searchPermissions,
  searchTypes,
  searchTypesOf,
  type SearchHit,
  type SearchQuery,
  type SearchTypeName,
} from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { membershipOf } from '../state/access.ts';
import { callerOf, organizationOf } from '../state/call.ts';
import { isAccepted, reaches } from '../state/keys.ts';
import { cursorAfter, positionIn } from '../state/lists.ts';
import type { Call, Feature, State } from '../state/model.ts';
import { present } from '../state/present.ts';
import { idsOf, textOf, type Fields } from '../state/store.ts';
import { documentsOf, type SearchDocument } from './search-documents.ts';
import { folded, highlightIn, runsOf, similarWord, tokensOf, type Token } from './search-words.ts';

const minExact = 5;
const minSimilarLength = 4;
const dayMs = 24 * 60 * 60 * 1000;

interface Found {
  readonly document: SearchDocument;
  readonly match: SearchHit['match'];
  readonly score: number;
  /** The tokens that match, by field. */
  readonly matched: readonly (readonly Token[])[];
}

function find(call: Call): Fields {
  const { state, input } = call;
  const { q, types, scope, cursor, limit: asked } = input.query;
  const query = parsed(q);
  const wanted = searchTypesOf(typeof types === 'string' ? types : undefined);
  const list = JSON.stringify({ ...input.query, cursor: undefined, limit: undefined });
  const last = typeof cursor === 'string' ? positionIn(call, { list, cursor }) : null;
  const nowMs = last ? Number(last['nowMs']) : state.nowMs();
  const documents = readableBy(call, scope === 'everywhere').filter(filterOf(call, query));
  const all = ranked(call, { query, documents, nowMs });
  const shown = all.filter(({ document }) => wanted.includes(document.type));
  const start = last ? shown.findIndex((found) => placeOf(found) > textOf(last, 'place')) : 0;
  const limit = Number(asked);
  const items = start === -1 ? [] : shown.slice(start, start + limit);
  const hasNext = start !== -1 && start + limit < shown.length;
  const end = items.at(-1);
  const page = last ? Number(last['page']) + 1 : 1;
  const next = end && { place: placeOf(end), nowMs, page };
  return {
    items: items.map((found) => hitOf(call, found)),
    pagination: {
      page,
      limit,
      total: shown.length,
      totalPages: Math.ceil(shown.length / limit),
      hasNext,
      ...(hasNext && next && { nextCursor: cursorAfter(call, list, next) }),
    },
    totals: {
      all: shown.length,
      byType: Object.fromEntries(
        searchTypes.map((type) => [
          type,
          all.filter(({ document }) => document.type === type).length,
        ]),
      ),
    },
    isComplete: !query.isCut,
    correctedQuery: correctedBy(query, all),
  };
}

function suggest(call: Call): Fields {
  const { q, types } = call.input.query;
  const query = parsed(q);
  const wanted = searchTypesOf(typeof types === 'string' ? types : undefined);
  const documents = readableBy(call, false)
    .filter(({ type }) => wanted.includes(type) && type !== 'comment')
    .filter(filterOf(call, query))
    .map((document) => ({
      ...document,
      fields: document.fields.filter(({ field }) => field === 'title' || field === 'key'),
    }));
  const found = ranked(call, { query, documents, nowMs: call.state.nowMs() });
  return {
    items: found
      .filter(({ match }) => match !== 'similar')
      .slice(0, maxSuggestions)
      .map(({ document, matched }) => {
        const { type, id, organizationId, title, key, context } = document;
        const ranges = highlightIn(title, matched[0] ?? [])?.ranges ?? [];
        return { type, id, organizationId, title, key, context, ranges };
      }),
  };
}

/** @throws MockFailure `search_query_invalid` */
function parsed(q: unknown): SearchQuery {
  const query = parseSearchQuery(String(q));
  if (query.isEmpty) throw new MockFailure('search_query_invalid');
  return query;
}

/** Returns what the caller may read, by the scopes of an API key too. */
function readableBy(call: Call, isEverywhere: boolean): SearchDocument[] {
  const { state } = call;
  const types = searchTypes.filter((type) => mayRead(call, type));
  const ids = isEverywhere ? organizationIdsOf(call) : [organizationOf(call).id];
  return ids.flatMap((id) => types.flatMap((type) => documentsOf(state, id, type)));
}

function mayRead({ key }: Call, type: SearchTypeName): boolean {
  return !key || idsOf(key.fields, 'scopes').includes(searchPermissions[type]);
}

function organizationIdsOf(call: Call): string[] {
  const { state, key } = call;
  return state.store
    .all('organization')
    .map(({ id }) => id)
    .filter((id) => membershipOf(state, id, callerOf(call).id) !== undefined)
    .filter((id) => !key || (reaches(key, id) && isAccepted(state, key, id)));
}

/** Returns whether something passes the filters of the request and those in its text. */
function filterOf(call: Call, { filters }: SearchQuery) {
  const { state, input, caller } = call;
  const { projectId, collectionId, assigneeId, createdBy, from, to, status } = input.query;
  const idOf = (person: unknown) => (person === 'me' ? caller?.id : person);
  const isPerson = (id: string | null, person: string) =>
    folded(person) === 'me'
      ? id === caller?.id
      : mayRead(call, 'person') && isNamed(state, id, person);
  const isAny = <T>(values: readonly T[], fits: (value: T) => boolean) =>
    values.length === 0 || values.some(fits);
  return ({ context, ...document }: SearchDocument): boolean => {
    const { assigneeIds, updatedAt } = document;
    return (
      (projectId === undefined || context.project?.id === projectId) &&
      (collectionId === undefined || context.collection?.id === collectionId) &&
      (assigneeId === undefined || assigneeIds.some((id) => id === idOf(assigneeId))) &&
      (createdBy === undefined || document.createdBy === idOf(createdBy)) &&
      (status === undefined || document.status === status) &&
      (typeof from !== 'string' || updatedAt >= from) &&
      (typeof to !== 'string' || updatedAt < to) &&
      isAny(filters.types, (type) => type === document.type) &&
      isAny(filters.in, (name) => isIn(call, context, name)) &&
      isAny(filters.by, (person) => isPerson(document.createdBy, person)) &&
      isAny(filters.assignee, (person) => assigneeIds.some((id) => isPerson(id, person))) &&
      isAny(filters.is, (asked) => isInState(document, asked, state.nowMs())) &&
      (filters.after === null || updatedAt >= filters.after) &&
      (filters.before === null || updatedAt < filters.before)
    );
  };
}

function isNamed({ store }: State, id: string | null, person: string): boolean {
  const { fields } = store.find('user', id) ?? {};
  return ['displayName', 'email'].some((name) =>
    folded(textOf(fields, name)).startsWith(folded(person)),
  );
}

function isIn(call: Call, { project, collection }: SearchHit['context'], name: string): boolean {
  const key = textOf(call.state.store.find('project', project?.id)?.fields, 'key');
  const projectNames = mayRead(call, 'project') ? [key, project?.name] : [];
  const titles = mayRead(call, 'collection') ? [collection?.title] : [];
  return [...projectNames, ...titles].some(
    (one) => one !== undefined && one !== '' && folded(one) === folded(name),
  );
}

function isInState(
  { type, status, dueDate }: Pick<SearchDocument, 'type' | 'status' | 'dueDate'>,
  asked: SearchQuery['filters']['is'][number],
  nowMs: number,
): boolean {
  if (type !== 'task') return false;
  if (asked === 'done') return status === 'DONE';
  const isOpen = status !== 'DONE' && status !== 'CANCELLED';
  if (asked === 'open') return isOpen;
  return isOpen && dueDate !== null && Date.parse(dueDate) < nowMs;
}

interface Ranking {
  readonly query: SearchQuery;
  readonly documents: readonly SearchDocument[];
  readonly nowMs: number;
}

/** Returns what is found, the best first. */
function ranked({ caller }: Call, { query, documents, nowMs }: Ranking): Found[] {
  const found = documents.flatMap((document) => foundBy(query, document) ?? []);
  const rest = documents.filter((document) => !found.some((one) => one.document === document));
  const similar =
    found.length < minExact ? rest.flatMap((document) => similarTo(query, document) ?? []) : [];
  return [...found, ...similar]
    .map((one) => {
      const { updatedAt, createdBy, assigneeIds } = one.document;
      const ageDays = Math.max(0, nowMs - Date.parse(updatedAt)) / dayMs;
      const isOwn = caller && [createdBy, ...assigneeIds].includes(caller.id);
      const score = one.score * (1 + 1 / (1 + ageDays / 90)) * (isOwn ? 1.2 : 1);
      return { ...one, score };
    })
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

function foundBy(query: SearchQuery, document: SearchDocument): Found | null {
  const tokens = document.fields.map(({ text }) => tokensOf(text));
  const occurs = (term: SearchQuery['terms'][number]) =>
    tokens.some((own) => runsOf(term, own).length > 0);
  if (!query.terms.every(occurs) || query.excluded.some(occurs)) return null;
  const matched = tokens.map((own) => query.terms.flatMap((term) => runsOf(term, own).flat()));
  const typed = query.terms.flatMap(({ words }) => words.map(folded)).join(' ');
  const title = tokensOf(document.title)
    .map(({ word }) => word)
    .join(' ');
  const isKey = isNumberOf(query, document) || folded(document.key ?? '') === typed;
  const isTitle = document.type !== 'comment' && typed !== '' && title === typed;
  const weights = document.fields.map(
    ({ weight }, index) => weight * (matched[index]?.length ?? 0),
  );
  const score =
    (isKey ? 1000 : 0) +
    (isTitle ? 100 : title.startsWith(typed) ? 50 : 0) +
    weights.reduce((sum, weight) => sum + weight, 0);
  return { document, matched, score, match: isKey || isTitle ? 'exact' : 'words' };
}

function isNumberOf({ taskNumber }: SearchQuery, { type, key }: SearchDocument): boolean {
  if (!taskNumber || type !== 'task' || key === null) return false;
  const [, projectKey, number] = /^(.*)-(\d+)$/.exec(key) ?? [];
  const isProject = taskNumber.projectKey === null || taskNumber.projectKey === projectKey;
  return isProject && Number(number) === taskNumber.number;
}

/** Finds titles that have a resembling word for each longer word of the query. */
function similarTo(query: SearchQuery, document: SearchDocument): Found | null {
  const [title] = document.fields;
  if (!title || document.type === 'comment' || query.excluded.length > 0) return null;
  const tokens = tokensOf(title.text);
  const words = longWordsOf(query).map((word) =>
    similarWord(
      word,
      tokens.map((token) => token.word),
    ),
  );
  if (words.length === 0 || words.includes(null)) return null;
  const matched = tokens.filter(({ word }) => words.includes(word));
  return { document, matched: [matched], score: 1, match: 'similar' };
}

function longWordsOf({ terms }: SearchQuery): string[] {
  return terms
    .flatMap(({ words }) => words.map(folded))
    .filter((word) => word.length >= minSimilarLength);
}

/** Returns the query in words of the best title, if that is only similar. */
function correctedBy(query: SearchQuery, [best]: readonly Found[]): string | null {
  if (best?.match !== 'similar') return null;
  const words = tokensOf(best.document.title).map(({ word }) => word);
  return query.terms
    .flatMap((term) => term.words)
    .map((word) => similarWord(folded(word), words) ?? word)
    .join(' ');
}

/** Sorts as text: similar ones last, then by descending score, then by id. */
function placeOf({ match, score, document: { id, organizationId } }: Found): string {
  const descending = (1e9 - score).toFixed(6).padStart(20, '0');
  return `${match === 'similar' ? 1 : 0} ${descending} ${id} ${organizationId}`;
}

function hitOf({ state, caller }: Call, { document, match, matched }: Found): Fields {
  const { type, id, organizationId, title, key, context, status, updatedAt, record } = document;
  const view = { state, callerId: caller?.id ?? null };
  return {
    type,
    id,
    organizationId,
    title,
    key,
    context,
    status,
    thumbnailUrl: type === 'asset' ? (present(record, view)['thumbnailUrl'] ?? null) : null,
    highlights: document.fields.flatMap(({ field, text }, index) => {
      const highlight = highlightIn(text, matched[index] ?? []);
      return highlight ? [{ field, ...highlight }] : [];
    }),
    match,
    updatedAt,
  };
}

function rebuild(call: Call): Fields {
  call.activities = [];
  return { startedAt: call.state.now() };
}

export const search: Feature = {
  operations: {
    'search.find': { respond: find },
    'search.suggest': { respond: suggest },
    'search.rebuild': { respond: rebuild },
  },
};
