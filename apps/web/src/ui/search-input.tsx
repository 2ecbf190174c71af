import { Search } from 'lucide-react';
import type { ReactNode } from 'react';

interface SearchInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A search field for a list. */
export function SearchInput({ label, value, onChange }: SearchInputProps): ReactNode {
  return (
    <div className="relative min-w-40 flex-1 sm:w-72 sm:flex-none">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-muted"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        maxLength={200}
        onChange={(event) => onChange(event.target.value)}
        className="h-9 w-full rounded-md border border-line-strong bg-surface pr-3 pl-9 text-base"
      />
    </div>
  );
}
