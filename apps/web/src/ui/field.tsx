import { CircleAlert } from 'lucide-react';
import { useId, type ComponentProps, type ReactNode } from 'react';
import { useFieldError } from './field-errors.ts';
import { classNames } from './class-names.ts';

export interface FieldTexts {
  readonly name: string;
  readonly label: string;
  /** Help text below the control. */
  readonly hint?: ReactNode;
  /** Default: the form's error for this name. */
  readonly error?: string | undefined;
  /** Shows the label to screen readers only. */
  readonly isLabelHidden?: boolean | undefined;
}

interface FieldProps extends FieldTexts {
  readonly children: (control: {
    id: string;
    name: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
  }) => ReactNode;
}

/** Connects a label, a control, its hint and its error for screen readers. */
export function Field({
  name,
  label,
  hint,
  error,
  isLabelHidden,
  children,
}: FieldProps): ReactNode {
  const id = useId();
  const formError = useFieldError(name);
  const shown = error ?? formError;
  const describedBy = [hint ? `${id}-hint` : '', shown ? `${id}-error` : ''].filter(Boolean);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      {children({
        id,
        name,
        'aria-describedby': describedBy.join(' ') || undefined,
        'aria-invalid': shown ? true : undefined,
      })}
      {hint ? (
        <div id={`${id}-hint`} className="text-xs text-ink-muted">
          {hint}
        </div>
      ) : null}
      {shown ? (
        <p
          id={`${id}-error`}
          // A form focuses the field of its error, which reads it.
          role={error ? 'alert' : undefined}
          className="flex items-start gap-1.5 text-sm text-danger"
        >
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {shown}
        </p>
      ) : null}
    </div>
  );
}

export const controlClass = classNames(
  'w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 text-base text-ink',
  'aria-invalid:border-danger disabled:bg-sunken disabled:text-ink-muted',
);

/** A single-line text field. */
export function Input({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  ...rest
}: FieldTexts & Omit<ComponentProps<'input'>, 'name'>): ReactNode {
  return (
    <Field {...{ name: rest.name, label, hint, error, isLabelHidden }}>
      {(control) => (
        <input {...rest} {...control} className={classNames(controlClass, 'h-9', className)} />
      )}
    </Field>
  );
}

/** A multi-line text field that grows with its content. */
export function Textarea({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  ...rest
}: FieldTexts & Omit<ComponentProps<'textarea'>, 'name'>): ReactNode {
  return (
    <Field {...{ name: rest.name, label, hint, error, isLabelHidden }}>
      {(control) => (
        <textarea
          rows={3}
          {...rest}
          {...control}
          className={classNames(controlClass, 'field-sizing-content min-h-20 py-2', className)}
        />
      )}
    </Field>
  );
}

/** A select; its children are `option`s. */
export function Select({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  ...rest
}: FieldTexts & Omit<ComponentProps<'select'>, 'name'>): ReactNode {
  return (
    <Field {...{ name: rest.name, label, hint, error, isLabelHidden }}>
      {(control) => (
        <select
          {...rest}
          {...control}
          className={classNames(controlClass, 'h-9 pr-8', className)}
        />
      )}
    </Field>
  );
}
