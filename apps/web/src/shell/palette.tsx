import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Marked } from '../search/marked.tsx';
import { texts as words } from '../texts/palette.ts';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog.tsx';
import { usePaletteEntries, type PaletteEntry } from './palette-entries.ts';

/** Searches pages, resources and actions; the arrow keys select, Enter opens. */
export default function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const id = useId();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  /** The entry that the arrow keys have chosen; it stays chosen when others arrive. */
  const [chosen, setChosen] = useState<string | null>(null);
  const { entries, isCurrent, note } = usePaletteEntries(query);
  const active = activeIn(entries, chosen, query);
  const optionId = (index: number) => `${id}-${index}`;

  function run(entry: PaletteEntry | undefined): void {
    if (!entry) return;
    onClose();
    entry.run();
  }

  /** What was found for an earlier text may not be meant: the page of the search shows what is. */
  function runActive(): void {
    const entry = entries[active];
    const isOutdated = !isCurrent && entry?.group === words.groups.found && chosen === null;
    if (!isOutdated) return run(entry);
    onClose();
    void navigate({ to: '/search', search: { q: query.trim() } });
  }

  function move(to: number): void {
    const next = (to + entries.length) % Math.max(1, entries.length);
    setChosen(entries[next]?.key ?? null);
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const moves: Record<string, () => void> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      Enter: runActive,
    };
    const handle = moves[event.key];
    if (!handle || event.nativeEvent.isComposing) return;
    event.preventDefault();
    handle();
  }

  return (
    <Dialog isOpen onClose={onClose} title={words.title} isTitleHidden>
      <div className="sticky -top-2 z-10 -mx-5 -mt-2 flex items-center gap-3 border-b border-line bg-raised px-5 pt-3 pb-3">
        <Search aria-hidden className="size-4 shrink-0 text-ink-muted" />
        <input
          role="combobox"
          aria-label={words.title}
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={entries.length > 0 ? optionId(active) : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          placeholder={words.placeholder}
          value={query}
          maxLength={200}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(null);
          }}
          onKeyDown={onKeyDown}
          className="h-8 min-w-0 flex-1 bg-transparent text-lg outline-none"
        />
      </div>
      <p role="status" className="sr-only">
        {isCurrent ? words.found(entries.length) : ''}
      </p>
      {/* Of one height, so that nothing moves while results arrive. */}
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={words.results}
        className="-mx-3 h-[min(28rem,60dvh)] py-2"
      >
        {entries.map((entry, index) => (
          <div key={entry.key} role="presentation">
            {entry.group === entries[index - 1]?.group ? null : (
              <p role="presentation" className="px-3 pt-2 pb-1 text-xs font-medium text-ink-muted">
                {entry.group}
              </p>
            )}
            <div
              id={optionId(index)}
              role="option"
              aria-selected={index === active}
              onMouseMove={() => setChosen(entry.key)}
              onClick={() => run(entry)}
              className={classNames(
                'flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5',
                index === active && 'bg-hover',
              )}
            >
              <entry.icon aria-hidden className="size-4 shrink-0 text-ink-muted" />
              <span className="min-w-0 flex-1 truncate">
                {entry.ranges ? <Marked text={entry.label} ranges={entry.ranges} /> : entry.label}
              </span>
              {entry.hint ? (
                <span className="max-w-2/5 shrink-0 truncate text-xs text-ink-muted max-sm:hidden">
                  {entry.hint}
                </span>
              ) : null}
            </div>
          </div>
        ))}
        {note === null ? null : (
          <p role="presentation" className="px-3 py-3 text-ink-muted">
            {note}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/**
 * Returns the entry that Enter runs: the chosen one, or else a command or the best of what was found; the entries that
 * lead to the page of the search come after it.
 */
function activeIn(entries: readonly PaletteEntry[], chosen: string | null, query: string): number {
  const at = entries.findIndex(({ key }) => key === chosen);
  if (at !== -1) return at;
  if (query.trim() === '') return 0;
  const { search, organizations } = words.groups;
  const best = entries.findIndex(({ group }) => group !== search && group !== organizations);
  return Math.max(0, best === -1 ? entries.findIndex(({ group }) => group === search) : best);
}
