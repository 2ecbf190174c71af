import type { ApiKey } from '@atelier/client';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { keyName } from '../../credentials/key-name.ts';
import { Form } from '../../forms/form.tsx';
import { DialogButtons } from '../../library/dialog-buttons.tsx';
import { api } from '../../session/api.ts';
import { useOrganizationMutation } from '../../session/queries.ts';
import { texts } from '../../texts/api-keys.ts';
import { texts as shared } from '../../texts/shared.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { notify } from '../../ui/notices.tsx';

const words = texts.renaming;
const schema = z.object({ name: keyName });

interface RenameDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Renames a key. */
export default function RenameDialog({
  apiKey: { id, name },
  onClose,
}: RenameDialogProps): ReactNode {
  const rename = useOrganizationMutation({
    change: (next: string, options) =>
      api.apiKeys.rename({ params: { id }, body: { name: next } }, options),
    invalidates: [['apiKeys'], ['timeline']],
    onDone() {
      onClose();
      notify(words.saved);
    },
    // The form shows the error.
    onFailed() {},
  });
  return (
    <Dialog isOpen onClose={onClose} title={words.title} size="sm">
      <Form schema={schema} onSubmit={(values) => rename.mutateAsync(values.name)}>
        {({ isBusy }) => (
          <>
            <Input
              name="name"
              label={words.name}
              defaultValue={name}
              autoComplete="off"
              data-autofocus
            />
            <DialogButtons action={shared.save} isBusy={isBusy} onCancel={onClose} />
          </>
        )}
      </Form>
    </Dialog>
  );
}
