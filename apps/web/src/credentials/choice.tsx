import { CircleAlert } from 'lucide-react';
import { useId, type ReactNode } from 'react';

interface ChoiceProps {
  readonly legend: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly children: ReactNode;
}

/** Groups checkboxes or radio buttons under a legend. */
export function Choice({ legend, hint, error, children }: ChoiceProps): ReactNode {
  const id = useId();
  return (
    <fieldset
      aria-describedby={`${id}-hint ${id}-error`}
      aria-invalid={error ? true : undefined}
      tabIndex={-1}
    >
      <legend className="text-sm font-medium">{legend}</legend>
      {hint ? (
        <p id={`${id}-hint`} className="text-xs text-ink-muted">
          {hint}
        </p>
      ) : null}
      <div className="mt-1.5">{children}</div>
      {error ? (
        <p id={`${id}-error`} className="mt-1.5 flex items-start gap-1.5 text-sm text-danger">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

interface OptionProps {
  readonly type: 'checkbox' | 'radio';
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
}

/** One option of a {@link Choice}. */
export function Option({ label, hint, isChosen, onChange, ...input }: OptionProps): ReactNode {
  return (
    <label className="flex items-start gap-2.5 rounded-md px-2 py-1 hover:bg-hover">
      <input
        {...input}
        checked={isChosen}
        onChange={({ target }) => onChange(target.checked)}
        className="mt-1 size-4 shrink-0"
      />
      <span className="min-w-0">
        <span className="wrap-anywhere">{label}</span>
        {hint ? <span className="block text-xs text-ink-muted">{hint}</span> : null}
      </span>
    </label>
  );
}

/** Returns the list with the value, or without it. */
export function withOrWithout<Value>(
  list: readonly Value[],
  value: Value,
  isChosen: boolean,
): Value[] {
  return isChosen
    ? [...list.filter((one) => one !== value), value]
    : list.filter((one) => one !== value);
}
