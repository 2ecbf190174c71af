import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts/tags.ts';

interface TagChipProps {
  readonly tag: string;
  readonly onRemove: () => void;
}

/** Shows a tag with a button that removes it. */
export function TagChip({ tag, onRemove }: TagChipProps): ReactNode {
  return (
    <span className="inline-flex h-7 max-w-full min-w-0 items-center gap-1 rounded-full bg-accent-soft pl-2.5 text-sm text-accent">
      <span className="truncate">{tag}</span>
      <button
        type="button"
        aria-label={texts.remove(tag)}
        onClick={onRemove}
        className="grid size-7 shrink-0 place-items-center rounded-full hover:bg-sunken"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  );
}
