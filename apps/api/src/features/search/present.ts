import type { SearchHit, SearchHighlight, Suggestion } from '@atelier/contract';
import { thumbnailUrlOf } from '../../domain/asset-view/present.ts';
import type { Fold } from '../../domain/folding.ts';
import { displayNameOf } from '../../domain/person-view/present-user.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import { highlightOf, rangesIn } from './highlights.ts';
import type { FoundRow } from './queries/find.ts';
import type { FoldedTerm } from './query.ts';
import type { Readable } from './policy.ts';

interface Shown {
  readonly terms: readonly FoldedTerm[];
  readonly readable: Readable;
  readonly fold: Fold;
}

export async function presentHit(
  store: Pick<ObjectStore, 'presignDownload'>,
  row: FoundRow,
  shown: Shown,
): Promise<SearchHit> {
  return {
    ...commonOf(row, shown.readable),
    status: (row.status ?? null) as SearchHit['status'],
    thumbnailUrl: await thumbnailUrlOf(store, row.thumbnailKey ?? null),
    highlights: highlightsOf(row, shown),
    match: row.match,
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}

export function presentSuggestion(row: FoundRow, { terms, readable, fold }: Shown): Suggestion {
  const common = commonOf(row, readable);
  return { ...common, ranges: rangesIn(common.title, terms, fold) };
}

function commonOf(row: FoundRow, readable: Readable) {
  const { type, id, organizationId } = row;
  return {
    type,
    id,
    organizationId,
    title: titleOf(row),
    key: keyOf(row, readable),
    context: {
      project: readable.projects ? (row.project ?? null) : null,
      collection: readable.collections ? (row.collection ?? null) : null,
      task: row.task ?? null,
    },
  };
}

/** Returns what is shown as the title of a row. */
export function titleOf(row: FoundRow): string {
  if (row.type !== 'person') return row.title;
  const { email, firstName, lastName } = row;
  return displayNameOf({ email: email ?? '', firstName, lastName });
}

function keyOf({ projectKey, number }: FoundRow, readable: Readable): string | null {
  if (!projectKey || !readable.projects) return null;
  return typeof number === 'number' ? `${projectKey}-${number}` : projectKey;
}

function highlightsOf(row: FoundRow, { terms, readable, fold }: Shown): SearchHighlight[] {
  const fields: readonly [SearchHighlight['field'], string | null | undefined][] = [
    ['title', titleOf(row)],
    ['key', row.type === 'comment' ? null : keyOf(row, readable)],
    ['tags', row.tags],
    [row.type === 'comment' ? 'body' : 'description', row.body],
    ['collection', readable.collections ? row.collection?.title : null],
    ['email', row.email],
  ];
  return fields.flatMap(([field, text]) => {
    // A task's title is not searched for its comments.
    const isSearched = row.type !== 'comment' || field === 'body';
    if (!text || !isSearched) return [];
    return highlightOf({ field, text }, terms, fold) ?? [];
  });
}
