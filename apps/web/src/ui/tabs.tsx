import { useId, type KeyboardEvent, type ReactNode } from 'react';

interface TabsProps<Value extends string> {
  /** Accessible name of the tab list. */
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly tabs: readonly {
    readonly value: Value;
    readonly label: ReactNode;
    readonly panel: ReactNode;
  }[];
}

/** Shows one of several panels. The arrow keys, Home and End choose it. */
export function Tabs<Value extends string>({
  label,
  value,
  onChange,
  tabs,
}: TabsProps<Value>): ReactNode {
  const id = useId();
  const selected = tabs.find((tab) => tab.value === value);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = stepOf(event.key, tabs.length);
    const chosen = step && tabs.at(step(tabs.findIndex((tab) => tab.value === value)));
    if (!chosen) return;
    event.preventDefault();
    document.getElementById(`${id}-${chosen.value}`)?.focus();
    onChange(chosen.value);
  }

  return (
    <div>
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className="flex gap-1 overflow-x-auto shadow-[inset_0_-1px_0_var(--color-line)]"
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab === selected}
            aria-controls={tab === selected ? `${id}-panel` : undefined}
            tabIndex={tab === selected ? 0 : -1}
            onClick={() => onChange(tab.value)}
            className="border-b-2 border-transparent px-3 py-2 text-base font-medium whitespace-nowrap text-ink-muted hover:text-ink focus-visible:-outline-offset-2 aria-selected:border-accent aria-selected:text-ink"
          >
            {tab.label}
          </button>
        ))}
      </div>
      {selected ? (
        <div
          key={selected.value}
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-${selected.value}`}
          tabIndex={0}
          className="pt-4"
        >
          {selected.panel}
        </div>
      ) : null}
    </div>
  );
}

/** Returns how a key moves in a list, from and to an index; undefined for other keys. */
function stepOf(key: string, length: number): ((from: number) => number) | undefined {
  switch (key) {
    case 'ArrowLeft':
      // At -1 is the last.
      return (from) => from - 1;
    case 'ArrowRight':
      return (from) => (from + 1) % length;
    case 'Home':
      return () => 0;
    case 'End':
      return () => -1;
    default:
      return undefined;
  }
}
