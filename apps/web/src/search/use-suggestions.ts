import { ApiError, type SearchHit, type Suggestion } from '@atelier/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../session/api.ts';
import { useOrganizationId } from '../session/selected-organization.ts';

const debounceMs = 150;
/** Titles first: only if none matches, the search looks into texts and for similar words. */
const maxSimilar = 5;
const maxSuggestLength = 80;

export interface Suggestions {
  /** Whether they belong to what is typed now, and not to what was typed before. */
  readonly isCurrent: boolean;
  readonly items: readonly Suggestion[];
  /** What the search finds in other words, or in texts, if no title matches. */
  readonly others: readonly SearchHit[];
  readonly hasFailed: boolean;
}

const nothing: Suggestions = { isCurrent: true, items: [], others: [], hasFailed: false };

/** Suggests what a query may mean while it is typed; what was found before stays until then. */
export function useSuggestions(typed: string): Suggestions {
  const q = useDebounced(typed.slice(0, maxSuggestLength));
  const organizationId = useOrganizationId();
  const enabled = q.trim().length > 1;
  // Not below the key of the API: each change of the organization would send them again.
  const suggested = useQuery({
    queryKey: ['suggestions', organizationId, q],
    queryFn: ({ signal }) =>
      found(api.search.suggest({ query: { q } }, { organizationId, signal })),
    enabled,
    placeholderData: keepPreviousData,
  });
  const isSettled = enabled && !suggested.isPlaceholderData;
  const searched = useQuery({
    queryKey: ['suggestions', organizationId, q, 'others'],
    queryFn: ({ signal }) =>
      found(api.search.find({ query: { q, limit: maxSimilar } }, { organizationId, signal })),
    enabled: isSettled && suggested.data?.items.length === 0,
  });
  if (typed.trim().length < 2) return nothing;
  const items = suggested.data?.items ?? [];
  return {
    isCurrent: q === typed.slice(0, maxSuggestLength) && isSettled && !searched.isFetching,
    items,
    others: items.length === 0 ? (searched.data?.items ?? []) : [],
    hasFailed: suggested.isError || searched.isError,
  };
}

/** A query of signs only finds nothing. */
async function found<Item>(
  response: Promise<{ readonly items: readonly Item[] }>,
): Promise<{ readonly items: readonly Item[] }> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'search_query_invalid') return { items: [] };
    throw error;
  }
}

function useDebounced(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), debounceMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
