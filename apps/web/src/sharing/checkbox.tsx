import { useId, type ReactNode } from 'react';

interface CheckboxProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly defaultChecked?: boolean | undefined;
  readonly disabled?: boolean | undefined;
}

/** A checkbox of a form; its value is `on` or missing. */
export function Checkbox({ label, hint, ...rest }: CheckboxProps): ReactNode {
  const id = useId();
  return (
    <div>
      <label className="flex items-center gap-2">
        <input
          {...rest}
          type="checkbox"
          aria-describedby={hint ? id : undefined}
          className="size-4 shrink-0"
        />
        {label}
      </label>
      {hint ? (
        <p id={id} className="mt-0.5 pl-6 text-xs text-ink-muted">
          {hint}
        </p>
      ) : null}
    </div>
  );
}
