import type { ReactNode } from 'react';
import { texts } from '../texts/library.ts';
import { Select } from '../ui/field.tsx';

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
          const chosen = values.find((option) => option === event.target.value);
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

/** Returns the keys of a record that was written as a literal. */
function keysOf<Key extends string>(record: Readonly<Record<Key, string>>): readonly Key[] {
  // A literal has exactly the keys of its type.
  return Object.keys(record) as Key[];
}
