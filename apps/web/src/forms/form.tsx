import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import { errorText, fieldErrors } from '../ui/error-texts.ts';
import { CircleAlert } from 'lucide-react';
import { FieldErrors } from '../ui/field-errors.ts';

interface FormProps<Schema extends z.ZodMiniType> {
  /** Validates the fields by name before they are sent; all values are strings. */
  readonly schema: Schema;
  /** Sends the values. An error is shown at the fields it names, otherwise above the form. */
  readonly onSubmit: (values: z.output<Schema>) => Promise<unknown>;
  /** Receives `isBusy`, for the busy state of the submit button. */
  readonly children: (state: { readonly isBusy: boolean }) => ReactNode;
  readonly id?: string | undefined;
  readonly className?: string | undefined;
}

interface Failure {
  readonly fields: Readonly<Record<string, string>>;
  readonly text?: string | undefined;
}

const noFailure: Failure = { fields: {} };

/** Renders a form that shows errors at its fields and focuses the first invalid one. */
export function Form<Schema extends z.ZodMiniType>({
  schema,
  onSubmit,
  children,
  id,
  className = 'flex flex-col gap-4',
}: FormProps<Schema>): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  const [failure, setFailure] = useState(noFailure);
  const [isBusy, setBusy] = useState(false);

  function settle(next: Failure): void {
    // Synchronous, so that a screen reader reads the error when the field gets the focus.
    flushSync(() => {
      setBusy(false);
      setFailure(next);
    });
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    // React events bubble through portals: a form around a dialog must not be submitted too.
    event.stopPropagation();
    if (isBusy) return;
    const checked = z.safeParse(schema, Object.fromEntries(new FormData(event.currentTarget)));
    if (!checked.success) {
      const found = checked.error.issues.toReversed();
      settle({
        fields: Object.fromEntries(found.map((issue) => [issue.path.join('.'), issue.message])),
      });
      return;
    }
    setBusy(true);
    setFailure(noFailure);
    try {
      await onSubmit(checked.data);
      // It may show an error of its own.
      settle(noFailure);
    } catch (error) {
      settle(failureOf(error, form.current));
    }
  }

  return (
    <FieldErrors value={failure.fields}>
      <form
        ref={form}
        id={id}
        noValidate
        className={className}
        onSubmit={(event) => void submit(event)}
      >
        {failure.text ? (
          <p
            role="alert"
            className="flex items-start gap-2 rounded-md bg-danger-soft px-3 py-2 text-danger"
          >
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {failure.text}
          </p>
        ) : null}
        {children({ isBusy })}
      </form>
    </FieldErrors>
  );
}

/** Assigns an error to the fields it names, or to the form if it has none of them. */
function failureOf(error: unknown, form: HTMLFormElement | null): Failure {
  const fields = fieldErrors(error);
  const hasField = Object.keys(fields).some((name) => form?.elements.namedItem(name));
  return hasField ? { fields } : { fields: {}, text: errorText(error) };
}
