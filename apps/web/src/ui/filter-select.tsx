import type { ReactNode } from 'react';

interface FilterSelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value | undefined;
  /** Label of the empty option; without it, a value is always selected. */
  readonly anyLabel?: string | undefined;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value | undefined) => void;
}

/** A select in a row of filters; its label is read by screen readers only. */
export function FilterSelect<Value extends string>({
  label,
  value,
  anyLabel,
  options,
  onChange,
}: FilterSelectProps<Value>): ReactNode {
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={(event) =>
        onChange(options.find((option) => option.value === event.target.value)?.value)
      }
      className="h-9 max-w-44 min-w-0 rounded-md border border-line-strong bg-surface pr-7 pl-2.5 text-base text-ink"
    >
      {anyLabel === undefined ? null : <option value="">{anyLabel}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
