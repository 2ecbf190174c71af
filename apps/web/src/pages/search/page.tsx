import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FilterX, SearchX, X } from 'lucide-react';
import { useCallback, type ReactNode } from 'react';
import { texts } from '../../texts/search.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Filters } from './filter-row.tsx';
import { filtersOf, isFiltered, type SearchFilters } from './filters.ts';
import { HitList } from './hit-list.tsx';
import { SearchField } from './search-field.tsx';
import type { SearchSearch } from './search.ts';
import { Start } from './start.tsx';
import { TypeTabs } from './type-tabs.tsx';
import { useSearchPages } from './use-search-pages.ts';

export default function SearchPage(): ReactNode {
  const search = useSearch({ from: '/shell/search' });
  const navigate = useNavigate({ from: '/search' });
  const filters = filtersOf(search);
  const change = useCallback(
    (changes: SearchSearch) =>
      void navigate({ search: (before) => ({ ...before, ...changes }), replace: true }),
    [navigate],
  );
  const clear = () => void navigate({ search: { q: filters.q }, replace: true });
  return (
    <Page title={texts.title} width="narrow">
      <SearchField value={filters.q} onChange={change} />
      {filters.q === '' ? (
        <Start />
      ) : (
        <Found filters={filters} search={search} onChange={change} onClear={clear} />
      )}
    </Page>
  );
}

interface FoundProps {
  readonly filters: SearchFilters;
  readonly search: SearchSearch;
  readonly onChange: (changes: SearchSearch) => void;
  readonly onClear: () => void;
}

function Found({ filters, search, onChange, onClear }: FoundProps): ReactNode {
  const pages = useSearchPages(filters);
  const { first, error, isPending, isSignsOnly, items } = pages;
  const isEmpty = items.length === 0;
  const isNothing = isEmpty && !isPending && !error && !isSignsOnly;
  return (
    <>
      <TypeTabs search={search} current={filters.type} byType={first?.totals.byType} />
      <Filters filters={filters} onChange={onChange} />
      {isSignsOnly ? null : (
        <Notes pages={pages} search={search} onClear={isFiltered(filters) ? onClear : null} />
      )}
      {isEmpty && error ? <Failed error={error} onRetry={pages.refetch} /> : null}
      {isPending ? <SkeletonRows /> : null}
      {isSignsOnly ? (
        <EmptyState icon={SearchX} title={texts.signsOnly}>
          {texts.signsOnlyHint}
        </EmptyState>
      ) : null}
      {isNothing ? <Nothing isFiltered={isFiltered(filters)} onClear={onClear} /> : null}
      {isEmpty || isSignsOnly ? null : <HitList pages={pages} />}
    </>
  );
}

function Nothing({
  isFiltered: hasFilters,
  onClear,
}: {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}): ReactNode {
  return (
    <EmptyState
      icon={hasFilters ? FilterX : SearchX}
      title={texts.empty}
      action={hasFilters ? <Button onClick={onClear}>{texts.filters.clear}</Button> : null}
    >
      {texts.emptyHint}
    </EmptyState>
  );
}

interface NotesProps {
  readonly pages: ReturnType<typeof useSearchPages>;
  readonly search: SearchSearch;
  /** Null without filters. */
  readonly onClear: (() => void) | null;
}

/** Says how much was found, what may have been meant, and whether it is all. */
function Notes({ pages: { first, error, isOutdated }, search, onClear }: NotesProps): ReactNode {
  const { totals, correctedQuery, isComplete } = first ?? {};
  const total = totals
    ? `${totals.all.toLocaleString('en')}${totals.isTotalLowerBound ? '+' : ''}`
    : null;
  const loading = error ? null : texts.loading;
  return (
    <div className="mb-3 flex flex-col gap-1 text-sm text-ink-muted">
      <div className="flex min-h-9 items-center justify-between gap-3">
        <p role="status">{total === null || isOutdated ? loading : texts.total(total)}</p>
        {onClear ? (
          <Button tone="quiet" icon={X} onClick={onClear}>
            {texts.filters.clear}
          </Button>
        ) : null}
      </div>
      {correctedQuery ? (
        <p className="text-base text-ink">
          {texts.didYouMean}{' '}
          <Link
            to="/search"
            search={{ ...search, q: correctedQuery }}
            className="font-medium text-accent underline underline-offset-4"
          >
            {correctedQuery}
          </Link>
          ?
        </p>
      ) : null}
      {isComplete === false ? <p>{texts.incomplete}</p> : null}
    </div>
  );
}
