import type { ReactNode } from 'react';
import { texts } from '../../texts/notifications.ts';

const { keys: words } = texts;

const hints = [
  { key: 'J', does: words.next },
  { key: 'K', does: words.previous },
  { key: 'Enter', does: words.open },
  { key: 'E', does: words.archive },
  { key: 'U', does: words.unread },
  { key: 'S', does: words.snooze },
] as const;

/** Names the keys of the list, where there probably is a keyboard. */
export function KeyHints(): ReactNode {
  return (
    <dl
      aria-label={words.label}
      className="mt-4 hidden flex-wrap justify-center gap-x-4 gap-y-1.5 text-xs text-ink-muted sm:flex [@media(hover:none)]:hidden"
    >
      {hints.map(({ key, does }) => (
        <div key={key} className="flex items-center gap-1.5">
          <dt>
            <kbd className="rounded-sm border border-line bg-surface px-1.5 py-px font-sans">
              {key}
            </kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
