import type { LabelColor, TaskLabel } from '@atelier/client';
import type { ReactNode } from 'react';
import { texts } from '../texts/tasks.ts';
import { classNames } from '../ui/class-names.ts';

const dots: Record<LabelColor, string> = {
  GRAY: 'bg-label-gray',
  BROWN: 'bg-label-brown',
  RED: 'bg-label-red',
  ORANGE: 'bg-label-orange',
  YELLOW: 'bg-label-yellow',
  GREEN: 'bg-label-green',
  TEAL: 'bg-label-teal',
  BLUE: 'bg-label-blue',
  PURPLE: 'bg-label-purple',
  PINK: 'bg-label-pink',
};

/** Shows the colour of a label. Decorative: its name is shown beside it. */
export function LabelDot({ color }: { readonly color: LabelColor }): ReactNode {
  return <span aria-hidden className={classNames('size-2 shrink-0 rounded-full', dots[color])} />;
}

/** Shows the name of a label with its colour. */
function LabelChip({ label }: { readonly label: Pick<TaskLabel, 'name' | 'color'> }): ReactNode {
  return (
    <span className="inline-flex h-5 max-w-full min-w-0 items-center gap-1.5 rounded-full border border-line px-2 text-xs text-ink">
      <LabelDot color={label.color} />
      <span className="truncate">{label.name}</span>
    </span>
  );
}

/** Shows the labels of a task. */
export function LabelChips({ labels }: { readonly labels: readonly TaskLabel[] }): ReactNode {
  if (labels.length === 0) return null;
  return (
    <ul aria-label={texts.labels} className="flex min-w-0 flex-wrap gap-1">
      {labels.map((label) => (
        <li key={label.id} className="flex min-w-0">
          <LabelChip label={label} />
        </li>
      ))}
    </ul>
  );
}
