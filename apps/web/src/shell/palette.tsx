import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Search } from 'lucide-react';
import { texts } from '../texts/shell.ts';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog.tsx';
import { usePaletteEntries, type PaletteEntry } from './palette-entries.ts';

const { palette: words } = texts;

/** Searches pages, resources and actions; the arrow keys select, Enter opens. */
export default function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const id = useId();
  const [query, setQuery] = useState('');
  const [position, setPosition] = useState(0);
  const entries = usePaletteEntries(query.trim());
  const active = Math.min(position, entries.length - 1);
  const optionId = (index: number) => `${id}-${index}`;

  function run(entry: PaletteEntry | undefined): void {
    if (!entry) return;
    onClose();
    entry.run();
  }

  function move(to: number): void {
    const next = (to + entries.length) % Math.max(1, entries.length);
    setPosition(next);
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const moves: Record<string, () => void> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      Enter: () => run(entries[active]),
    };
    const handle = moves[event.key];
    if (!handle) return;
    event.preventDefault();
    handle();
  }

  return (
    <Dialog isOpen onClose={onClose} title={words.title} isTitleHidden>
      <div className="-mx-5 flex items-center gap-3 border-b border-line px-5 pb-3 pt-1">
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
          onChange={(event) => {
            setQuery(event.target.value);
            setPosition(0);
          }}
          onKeyDown={onKeyDown}
          className="h-8 min-w-0 flex-1 bg-transparent text-lg outline-none"
        />
      </div>
      <p role="status" className="sr-only">
        {words.found(entries.length)}
      </p>
      {entries.length === 0 ? (
        <p className="py-8 text-center text-ink-muted">{words.none(query)}</p>
      ) : null}
      <div id={`${id}-list`} role="listbox" aria-label={words.results} className="-mx-3 py-2">
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
              onMouseMove={() => setPosition(index)}
              onClick={() => run(entry)}
              className={classNames(
                'flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5',
                index === active && 'bg-hover',
              )}
            >
              <entry.icon aria-hidden className="size-4 shrink-0 text-ink-muted" />
              <span className="min-w-0 flex-1 truncate">{entry.label}</span>
              {entry.hint ? <span className="text-xs text-ink-muted">{entry.hint}</span> : null}
            </div>
          </div>
        ))}
      </div>
    </Dialog>
  );
}
