import type { Activity } from '@atelier/client';
import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts/activity.ts';
import { readableChanges } from './changes.ts';

/** Lists the changed fields that people can read, with both values. */
export function ActivityChanges({ changes }: Pick<Activity, 'changes'>): ReactNode {
  const readable = readableChanges(changes);
  if (readable.length === 0) return null;
  return (
    <ul className="mt-0.5 flex flex-col gap-0.5 text-sm text-ink-muted">
      {readable.map(({ label, from, to }) => (
        <li key={label} className="flex flex-wrap items-center gap-x-1.5 wrap-anywhere">
          <span>{texts.changed(label)}</span>
          <span className="sr-only">{texts.from}</span>
          <span className="line-through decoration-ink-muted/60">{from}</span>
          <ArrowRight aria-hidden className="size-3 shrink-0" />
          <span className="sr-only">{texts.to}</span>
          <span className="text-ink">{to}</span>
        </li>
      ))}
    </ul>
  );
}
