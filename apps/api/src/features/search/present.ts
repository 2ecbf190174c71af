import type { SearchHit, SearchHighlight, Suggestion } from '@atelier/contract';
import { thumbnailUrlOf } from '../../domain/asset-view/present.ts';
import { displayNameOf } from '../../domain/person-view/present-user.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import { slicer } from '../../kernel/event-loop-slices.ts';
import { highlightOf, rangesIn, type Allowance, type Sought } from './highlights.ts';
import type { FoundRow } from './queries/find.ts';
import type { Readable } from './policy.ts';

interface Shown extends Sought {
  readonly readable: Readable;
}

/** What the descriptions and comments of a page may cost together: those of 20 hits, of 20,000 characters each. */
const allowanceOfPage = 1_000_000;
/** Characters that are looked at before the process does something else: some ten milliseconds at worst. */
const charactersAtOnce = 20_000;

export async function presentHits(
  store: Pick<ObjectStore, 'presignDownload'>,
  rows: readonly FoundRow[],
  shown: Shown,
): Promise<SearchHit[]> {
  const allowance = { left: allowanceOfPage };
  const turn = slicer(charactersAtOnce);
  const hits: SearchHit[] = [];
  for (const row of rows) {
    const fields = fieldsOf(row, shown.readable);
    await turn(fields.reduce((sum, { text }) => sum + text.length, 0));
    hits.push({
      ...commonOf(row, shown.readable),
      status: (row.status ?? null) as SearchHit['status'],
      thumbnailUrl: await thumbnailUrlOf(store, row.thumbnailKey ?? null),
      highlights: highlightsOf(fields, shown, allowance),
      match: row.match,
      updatedAt: new Date(row.updatedAt).toISOString(),
    });
  }
  return hits;
}

export function presentSuggestion(row: FoundRow, shown: Shown): Suggestion {
  const common = commonOf(row, shown.readable);
  return { ...common, ranges: rangesIn(common.title, shown) };
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

type Field = Pick<SearchHighlight, 'field' | 'text'>;

function fieldsOf(row: FoundRow, readable: Readable): Field[] {
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
    return text && isSearched ? { field, text } : [];
  });
}

function highlightsOf(
  fields: readonly Field[],
  sought: Sought,
  allowance: Allowance,
): SearchHighlight[] {
  return fields.flatMap((field) => {
    const isLong = field.field === 'body' || field.field === 'description';
    // The texts of other hits leave the short fields what they need.
    return highlightOf(field, sought, isLong ? allowance : { left: Infinity }) ?? [];
  });
}
