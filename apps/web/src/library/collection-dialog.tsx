import type { Collection } from '@atelier/client';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { useIdempotentSend } from '../credentials/idempotency.ts';
import { api } from '../session/api.ts';
import { Form } from '../forms/form.tsx';
import { useOrganizationMutation } from '../session/queries.ts';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/library.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { DialogButtons } from './dialog-buttons.tsx';
import { editCollection } from './library-cache.ts';

const words = texts.collectionDialog;
const schema = z.object({
  title: z.string().check(z.trim(), z.minLength(1, words.missing), z.maxLength(120, words.tooLong)),
});

interface CollectionDialogProps {
  /** The collection to rename; without it, the dialog creates one. */
  readonly collection?: Collection | undefined;
  readonly onClose: () => void;
  readonly onDone?: ((collection: Collection) => void) | undefined;
}

/** Creates or renames a collection. */
export default function CollectionDialog({
  collection,
  onClose,
  onDone,
}: CollectionDialogProps): ReactNode {
  const send = useIdempotentSend();
  const save = useOrganizationMutation({
    change(title: string, options) {
      const body = { title };
      if (collection) {
        return api.collections.rename({ params: { id: collection.id }, body }, options);
      }
      return send(body, (idempotencyKey) =>
        api.collections.create({ body }, { ...options, idempotencyKey }),
      );
    },
    invalidates: [['collections'], ['timeline'], ['dashboard']],
    optimistic: (cache, title) => {
      if (collection) editCollection(cache, collection.id, (one) => ({ ...one, title }));
    },
    onDone,
    // The form shows the error.
    onFailed() {},
  });

  async function submit({ title }: z.output<typeof schema>): Promise<void> {
    if (title !== collection?.title) await save.mutateAsync(title);
    onClose();
  }

  return (
    <Dialog isOpen onClose={onClose} title={collection ? words.rename : words.create} size="sm">
      <Form schema={schema} onSubmit={submit}>
        {({ isBusy }) => (
          <>
            <Input
              name="title"
              label={words.title}
              defaultValue={collection?.title}
              autoComplete="off"
              data-autofocus
            />
            <DialogButtons
              action={collection ? shared.save : shared.create}
              isBusy={isBusy}
              onCancel={onClose}
            />
          </>
        )}
      </Form>
    </Dialog>
  );
}
