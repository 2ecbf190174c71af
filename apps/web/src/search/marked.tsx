import type { ReactNode } from 'react';
import { markedParts } from './marked-parts.ts';

interface MarkedProps {
  readonly text: string;
  /** Start and end of each match. */
  readonly ranges: readonly (readonly number[])[];
}

/** Shows a text with its matches marked. It is text, whatever it looks like. */
export function Marked({ text, ranges }: MarkedProps): ReactNode {
  return markedParts(text, ranges).map((part, index) =>
    part.isMatch ? (
      <mark key={index} className="rounded-xs bg-accent-soft font-semibold text-inherit">
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
