import type { LucideIcon } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';

interface ChoiceProps<Value extends string> {
  /** What is chosen, for those who listen. */
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly {
    readonly value: Value;
    readonly label: string;
    /** In the place of the label, which is then only for those who listen. */
    readonly icon?: LucideIcon;
  }[];
}

/** One of two or three, side by side; walked by the arrow keys. */
export function Choice<Value extends string>({
  label,
  value,
  onChange,
  options,
}: ChoiceProps<Value>): ReactNode {
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
