import { Search, X } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { texts } from '../texts/library.ts';
import { useTypedText } from '../ui/use-typed-text.ts';

interface SearchBoxProps {
  readonly value: string;
  /** Called after a pause in typing. */
  readonly onChange: (value: string) => void;
  readonly label: string;
}

/** Searches a list by name. */
export function SearchBox({ value, onChange, label }: SearchBoxProps): ReactNode {
  const id = useId();
  const [typed, setTyped] = useTypedText(value, onChange);
  return (
    <div className="relative min-w-40 flex-1 sm:max-w-72">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-muted"
      />
      <input
        id={id}
        type="text"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={200}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setTyped('');
        }}
        className="h-9 w-full rounded-md border border-line-strong bg-surface pr-9 pl-9 text-base"
      />
      {typed ? (
        <button
          type="button"
          aria-label={texts.clearSearch}
          onClick={() => setTyped('')}
          className="absolute top-1/2 right-1.5 -translate-y-1/2 rounded-md p-1.5 text-ink-muted hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      ) : null}
    </div>
  );
}
