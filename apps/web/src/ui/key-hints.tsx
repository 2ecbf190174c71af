import type { ReactNode } from 'react';

interface KeyHintsProps {
  readonly label: string;
  readonly hints: readonly { readonly key: string; readonly does: string }[];
}

/** Names the keys of a list, where there probably is a keyboard. */
export function KeyHints({ label, hints }: KeyHintsProps): ReactNode {
  return (
    <dl
      aria-label={label}
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
