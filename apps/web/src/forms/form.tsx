import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import { errorText, fieldErrors } from '../session/error-texts.ts';
import { CircleAlert } from 'lucide-react';
import { FieldErrors } from './form-context.ts';

interface FormProps<Schema extends z.ZodMiniType> {
  /** Checks the fields by their names before they are sent; all come as text. */
  readonly schema: Schema;
  /** Sends them. What it throws is shown at the fields it names, else above the buttons. */
  readonly onSubmit: (values: z.output<Schema>) => Promise<unknown>;
  /** Gets whether it is being sent: for the busy state of the button. */
  readonly children: (state: { readonly isBusy: boolean }) => ReactNode;
  readonly id?: string | undefined;
  readonly className?: string | undefined;
}

interface Failure {
  readonly fields: Readonly<Record<string, string>>;
  readonly text?: string | undefined;
}

const noFailure: Failure = { fields: {} };

/** A form whose fields say themselves what is wrong with them; the first one gets the focus. */
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

  function fail(next: Failure): void {
    // Before the focus moves, so that the field is already bound to its error.
    flushSync(() => setFailure(next));
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    // A dialog's form inside of a page's one is none of its business.
    event.stopPropagation();
    if (isBusy) return;
    const checked = z.safeParse(schema, Object.fromEntries(new FormData(event.currentTarget)));
    if (!checked.success) {
      const found = checked.error.issues.toReversed();
      fail({
        fields: Object.fromEntries(found.map((issue) => [issue.path.join('.'), issue.message])),
      });
      return;
    }
    setBusy(true);
    setFailure(noFailure);
    try {
      await onSubmit(checked.data);
      setBusy(false);
    } catch (error) {
      setBusy(false);
      fail(failureOf(error, form.current));
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

/** At the fields, if the form has one that is named; else for the whole form. */
function failureOf(error: unknown, form: HTMLFormElement | null): Failure {
  const fields = fieldErrors(error);
  const hasField = Object.keys(fields).some((name) => form?.elements.namedItem(name));
  return hasField ? { fields } : { fields: {}, text: errorText(error) };
}
