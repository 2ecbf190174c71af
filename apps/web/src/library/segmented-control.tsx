import type { LucideIcon } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';

interface SegmentedControlProps<Value extends string> {
  /** Read by screen readers only. */
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly {
    readonly value: Value;
    readonly label: string;
    /** Shown instead of the label, which is then read by screen readers only. */
    readonly icon?: LucideIcon;
  }[];
}

/** Lets the user choose one of two or three options that are shown side by side. */
export function SegmentedControl<Value extends string>({
  label,
  value,
  onChange,
  options,
}: SegmentedControlProps<Value>): ReactNode {
  const name = useId();
  return (
    <fieldset className="flex h-9 shrink-0 rounded-md border border-line-strong bg-surface p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map(({ value: option, label: text, icon: Icon }) => (
        <label
          key={option}
          title={Icon ? text : undefined}
          className={classNames(
            'relative flex cursor-pointer items-center rounded-[0.3rem] text-sm font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent',
            Icon ? 'px-2' : 'px-3',
            option === value ? 'bg-accent-soft text-accent' : 'text-ink-muted hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={name}
            checked={option === value}
            onChange={() => onChange(option)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {Icon ? <Icon aria-hidden className="size-4" /> : null}
          <span className={Icon ? 'sr-only' : undefined}>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
