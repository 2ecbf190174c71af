import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../../texts/search.ts';
import { EmptyState } from '../../ui/states.tsx';

const { label, ...examples } = texts.examples;

/** What the page shows without a query: what can be typed. */
export function Start(): ReactNode {
  return (
    <>
      <EmptyState icon={Search} title={texts.start}>
        {texts.startHint}
      </EmptyState>
      <section aria-labelledby="search-examples" className="mx-auto max-w-md">
        <h2 id="search-examples" className="mb-2 text-base">
          {label}
        </h2>
        <ul className="flex flex-col gap-2">
          {Object.values(examples).map(({ query, means }) => (
            <li key={query} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
              <Link
                to="/search"
                search={{ q: query }}
                className="rounded-sm bg-sunken px-1.5 py-0.5 font-mono text-sm hover:text-accent"
              >
                {query}
              </Link>
              <span className="text-ink-muted">{means}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
