import type { ReactNode } from 'react';
import { texts } from '../texts/library.ts';
import { Select } from '../ui/field.tsx';
import { keysOf, oneOf } from '../ui/options.ts';

interface SortSelectProps<Value extends string> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Labels of the options, in the order shown. */
  readonly options: Readonly<Record<Value, string>>;
  readonly label?: string | undefined;
}

/** Chooses the order of a list, or another option in the same row. */
export function SortSelect<Value extends string>({
  value,
  onChange,
  options,
  label = texts.sort,
}: SortSelectProps<Value>): ReactNode {
  const values = keysOf(options);
  return (
    <div className="shrink-0">
      <Select
        name="choice"
        label={label}
        isLabelHidden
        value={value}
        onChange={(event) => {
          const chosen = oneOf(values, event.target.value);
          if (chosen) onChange(chosen);
        }}
      >
        {values.map((option) => (
          <option key={option} value={option}>
            {options[option]}
          </option>
        ))}
      </Select>
    </div>
  );
}
