import { Check, Search } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useId, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useLayer } from './layer.tsx';

interface PickerProps {
  /** Names what opens. */
  readonly label: string;
  /** The button that opens it. */
  readonly trigger: ReactElement;
  /** Gets a function that closes it. */
  readonly children: (close: () => void) => ReactNode;
}

/** Opens choices beside a button. The focus goes to the element with `data-autofocus`. */
export function Picker({ label, trigger, children }: PickerProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal container={useLayer()}>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          onOpenAutoFocus={(event) => {
            if (!(event.target instanceof HTMLElement)) return;
            const first = event.target.querySelector<HTMLElement>('[data-autofocus]');
            if (!first) return;
            event.preventDefault();
            first.focus();
          }}
          className="z-50 max-h-(--radix-popover-content-available-height) min-w-56 overflow-y-auto rounded-lg border border-line bg-raised p-1.5 shadow-raised animate-in"
        >
          {children(() => setOpen(false))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

export interface PickerOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Finds it too, such as an email. */
  readonly keywords?: string | undefined;
  /** Decorative. */
  readonly mark?: ReactNode;
  readonly isDisabled?: boolean | undefined;
}

interface PickerListProps<Value extends string> {
  readonly label: string;
  readonly options: readonly PickerOption<Value>[];
  readonly selected: readonly Value[];
  readonly onChoose: (value: Value) => void;
  /** `many`: options are switched on and off one by one. */
  readonly selects: 'one' | 'many';
  /** Names the search field; without it, letters move to the options that begin with them. */
  readonly searchLabel?: string | undefined;
  readonly emptyText?: string | undefined;
  /** Shown below the options; gets what has been typed. */
  readonly footer?: ((query: string, clear: () => void) => ReactNode) | undefined;
}

/** Lists options that are chosen by arrow keys and Enter, with a search field above. */
export function PickerList<Value extends string>({
  label,
  options,
  selected,
  onChoose,
  selects,
  searchLabel,
  emptyText,
  footer,
}: PickerListProps<Value>): ReactNode {
  const id = useId();
  const [query, setQuery] = useState('');
  const [activeValue, setActive] = useState<Value | undefined>(selected[0]);
  const lowered = query.trim().toLowerCase();
  const shown = options.filter(({ label: name, keywords = '' }) =>
    `${name} ${keywords}`.toLowerCase().includes(lowered),
  );
  const found = shown.findIndex(({ value }) => value === activeValue);
  const active = Math.max(0, found);
  const optionId = (index: number) => `${id}-${index}`;

  function move(to: number): void {
    const next = (to + shown.length) % Math.max(1, shown.length);
    setActive(shown[next]?.value);
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
  }

  function choose(option: PickerOption<Value> | undefined): void {
    if (option && !option.isDisabled) onChoose(option.value);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const isList = searchLabel === undefined;
    const moves: Record<string, (() => void) | undefined> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      Enter: () => choose(shown[active]),
      ...(isList && {
        ' ': () => choose(shown[active]),
        Home: () => move(0),
        End: () => move(shown.length - 1),
      }),
    };
    const handle = moves[event.key] ?? (isList ? jumpTo(event.key) : undefined);
    if (!handle) return;
    event.preventDefault();
    // Not the shortcuts of the page.
    event.stopPropagation();
    handle();
  }

  /** Moves to the next option that begins with a letter. */
  function jumpTo(key: string): (() => void) | undefined {
    if (key.length !== 1) return undefined;
    const matches = (name: string) => name.toLowerCase().startsWith(key.toLowerCase());
    const after = shown.findIndex(({ label: name }, index) => index > active && matches(name));
    const next = after === -1 ? shown.findIndex(({ label: name }) => matches(name)) : after;
    return next === -1 ? undefined : () => move(next);
  }

  const control = {
    'aria-activedescendant': shown.length > 0 ? optionId(active) : undefined,
    onKeyDown,
    'data-autofocus': true,
  };
  return (
    <>
      {searchLabel === undefined ? null : (
        <div className="relative mb-1.5">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-2 left-2.5 size-4 text-ink-muted"
          />
          <input
            {...control}
            role="combobox"
            aria-label={searchLabel}
            aria-expanded={shown.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            autoComplete="off"
            spellCheck={false}
            placeholder={searchLabel}
            maxLength={200}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setActive(undefined);
            }}
            className="h-8 w-full rounded-md border border-line-strong bg-surface pr-2 pl-8 text-base"
          />
        </div>
      )}
      <div
        {...(searchLabel === undefined && { ...control, tabIndex: 0 })}
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        aria-multiselectable={selects === 'many' || undefined}
        className="max-h-64 overflow-y-auto outline-none"
      >
        {shown.map((option, index) => (
          <div
            key={option.value}
            id={optionId(index)}
            role="option"
            aria-selected={selected.includes(option.value)}
            aria-disabled={option.isDisabled || undefined}
            onMouseMove={() => setActive(option.value)}
            // The focus stays where the keys are.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(option)}
            className={classNames(
              'flex min-h-8 cursor-pointer items-center gap-2.5 rounded-md px-2 py-1',
              index === active && 'bg-hover',
              option.isDisabled && 'cursor-not-allowed opacity-50',
            )}
          >
            {option.mark}
            <span className="min-w-0 flex-1 truncate">{option.label}</span>
            {selected.includes(option.value) ? (
              <Check aria-hidden className="size-4 shrink-0 text-accent" />
            ) : null}
          </div>
        ))}
      </div>
      {shown.length === 0 && emptyText ? (
        <p role="status" className="px-2 py-2 text-sm text-ink-muted">
          {emptyText}
        </p>
      ) : null}
      {footer?.(query, () => setQuery(''))}
    </>
  );
}
