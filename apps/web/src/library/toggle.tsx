import { useId, type ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';

interface ToggleProps {
  readonly label: string;
  readonly hint: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Shows a switch that takes effect immediately. */
export function Toggle({ label, hint, isOn, onChange }: ToggleProps): ReactNode {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <div className="min-w-0 flex-1">
        <p id={`${id}-label`} className="font-medium">
          {label}
        </p>
        <p id={`${id}-hint`} className="mt-0.5 text-sm text-ink-muted">
          {hint}
        </p>
      </div>
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-hint`}
        onClick={() => onChange(!isOn)}
        className={classNames(
          'mt-0.5 flex h-6 w-10 shrink-0 items-center rounded-full border px-0.5 transition-colors',
          isOn ? 'border-accent bg-accent' : 'border-line-strong bg-sunken',
        )}
      >
        <span
          aria-hidden
          className={classNames(
            'size-4.5 rounded-full transition-transform',
            isOn ? 'translate-x-4 bg-on-accent' : 'bg-line-strong',
          )}
        />
      </button>
    </div>
  );
}
