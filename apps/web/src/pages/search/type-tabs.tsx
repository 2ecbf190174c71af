import type { SearchType } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../../texts/search.ts';
import { searchTypes } from './filters.ts';
import type { SearchSearch } from './search.ts';

interface TypeTabsProps {
  readonly search: SearchSearch;
  readonly current: SearchType | undefined;
  /** Undefined while loading. */
  readonly byType: Readonly<Record<SearchType, number>> | undefined;
}

/** Links to the hits of each type, with their number. Each has its own URL, so these are links and not tabs. */
export function TypeTabs({ search, current, byType }: TypeTabsProps): ReactNode {
  const { type: _, ...kept } = search;
  const all = byType && searchTypes.reduce((sum, type) => sum + byType[type], 0);
  return (
    <nav
      aria-label={texts.types.label}
      className="mb-4 flex overflow-x-auto sm:gap-1 shadow-[inset_0_-1px_0_var(--color-line)]"
    >
      {([undefined, ...searchTypes] as const).map((type) => {
        const count = type === undefined ? all : byType?.[type];
        return (
          <Link
            key={type ?? 'all'}
            to="/search"
            search={{ ...kept, ...(type && { type }) }}
            replace
            activeOptions={{ exact: true }}
            aria-current={type === current ? 'page' : undefined}
            className="flex items-center gap-1.5 border-b-2 border-transparent px-2 py-2 text-sm font-medium whitespace-nowrap text-ink-muted hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-ink sm:text-base"
          >
            {texts.types[type ?? 'all']}
            {count === undefined || count === 0 ? null : (
              <span className="text-xs font-normal text-ink-muted tabular-nums">
                {count.toLocaleString('en')}
              </span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
