import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts/library.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';

/** In the place of a list whose search or filter leaves nothing. */
export function NothingFits({ onShowAll }: { readonly onShowAll: () => void }): ReactNode {
  return (
    <EmptyState
      icon={SearchX}
      title={texts.nothingFits}
      action={<Button onClick={onShowAll}>{texts.showAll}</Button>}
    >
      {texts.nothingFitsHint}
    </EmptyState>
  );
}
