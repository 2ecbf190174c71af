import { CloudUpload } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts/unsent.ts';
import { useIsUnsent } from './waiting.ts';

/** Marks an item with changes that wait for the network. */
export function UnsentMark({ id }: { readonly id: string }): ReactNode {
  if (!useIsUnsent(id)) return null;
  return (
    <span className="inline-flex items-center gap-1 text-xs text-warning">
      <CloudUpload aria-hidden className="size-3.5" />
      {texts.mark}
    </span>
  );
}
