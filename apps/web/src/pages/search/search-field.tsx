import { Search, X } from 'lucide-react';
import { useCallback, useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { texts } from '../../texts/search.ts';
import { focusRow } from '../../ui/use-shortcuts.ts';
import { useTypedText } from '../../ui/use-typed-text.ts';
import type { SearchSearch } from './search.ts';

interface SearchFieldProps {
  /** As it is in the address. */
  readonly value: string;
  readonly onChange: (changes: SearchSearch) => void;
}

const pauseMs = 150;

/** The field of the search; what is typed goes to the address after a pause. The arrow key leads to the results. */
export function SearchField({ value, onChange }: SearchFieldProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const find = useCallback((text: string) => onChange({ q: text || undefined }), [onChange]);
  const [typed, setTyped] = useTypedText(value, find, pauseMs);
  useEffect(() => {
    // With a query, the results are of more interest.
    if (field.current?.value === '') field.current.focus();
  }, []);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && typed !== '') setTyped('');
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    focusRow(document.querySelector('[data-row]') ?? undefined);
  }

  return (
    <div role="search" className="relative mb-4">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-3 left-3.5 size-5 text-ink-muted"
      />
      <input
        ref={field}
        type="text"
        enterKeyHint="search"
        aria-label={texts.field}
        placeholder={texts.field}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-11 w-full rounded-lg border border-line-strong bg-surface pr-11 pl-11 text-lg"
      />
      {typed ? (
        <button
          type="button"
          aria-label={texts.clearField}
          onClick={() => {
            setTyped('');
            field.current?.focus();
          }}
          className="absolute top-1.5 right-1.5 rounded-md p-2 text-ink-muted hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      ) : null}
    </div>
  );
}
