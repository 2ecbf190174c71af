import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { Form } from '../forms/form.tsx';
import { DialogButtons } from '../library/dialog-buttons.tsx';
import { confirmed } from '../session/confirmed.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/field.tsx';
import { useIdempotentSend } from './idempotency.ts';

const schema = z.object({ overlapHours: z.string() });

interface OverlapDialogProps<Replaced> {
  readonly title: ReactNode;
  readonly texts: {
    readonly hint: string;
    readonly overlap: string;
    /** The choices, by hours. */
    readonly overlaps: Readonly<Record<number, string>>;
    readonly submit: string;
  };
  /** Sends the request, whose session may have to be confirmed first. */
  readonly replace: (
    body: { readonly overlapHours: number },
    options: { readonly idempotencyKey: string },
  ) => Promise<Replaced>;
  readonly onReplaced: (replaced: Replaced) => void;
  readonly onClose: () => void;
}

/** Replaces a secret, and asks how long the old one works beside the new one. */
export function OverlapDialog<Replaced>(props: OverlapDialogProps<Replaced>): ReactNode {
  const { title, texts, replace, onReplaced, onClose } = props;
  const send = useIdempotentSend();

  async function submit(values: z.output<typeof schema>): Promise<void> {
    const body = { overlapHours: Number(values.overlapHours) };
    const replaced = await send(body, (idempotencyKey) =>
      confirmed(() => replace(body, { idempotencyKey })),
    );
    onReplaced(replaced);
  }

  return (
    <Dialog isOpen onClose={onClose} title={title} description={texts.hint} size="sm">
      <Form schema={schema} onSubmit={submit}>
        {({ isBusy }) => (
          <>
            <Select name="overlapHours" label={texts.overlap} defaultValue="24" data-autofocus>
              {Object.entries(texts.overlaps).map(([hours, label]) => (
                <option key={hours} value={hours}>
                  {label}
                </option>
              ))}
            </Select>
            <DialogButtons action={texts.submit} isBusy={isBusy} onCancel={onClose} />
          </>
        )}
      </Form>
    </Dialog>
  );
}
