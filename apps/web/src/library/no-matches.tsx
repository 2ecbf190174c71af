import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts/library.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';

/** Replaces a list whose search or filters match nothing. */
export function NoMatches({ onShowAll }: { readonly onShowAll: () => void }): ReactNode {
  return (
    <EmptyState
      icon={SearchX}
      title={texts.noMatches}
      action={<Button onClick={onShowAll}>{texts.showAll}</Button>}
    >
      {texts.noMatchesHint}
    </EmptyState>
  );
}
