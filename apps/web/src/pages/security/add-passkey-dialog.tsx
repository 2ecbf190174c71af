import { addPasskey } from '@atelier/client/passkeys';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type * as z from 'zod/mini';
import { Form } from '../../forms/form.tsx';
import { passkeyErrorText } from '../../forms/passkey-button.tsx';
import { DialogButtons } from '../../library/dialog-buttons.tsx';
import { api } from '../../session/api.ts';
import { confirmed } from '../../session/confirmed.ts';
import { topicKey } from '../../session/queries.ts';
import { texts } from '../../texts/passkeys.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { notify } from '../../ui/notices.tsx';
import { passkeyName } from './passkey-name.ts';

interface AddPasskeyDialogProps {
  readonly onClose: () => void;
  /** @param recoveryCodes - null if the account has some already */
  readonly onAdded: (recoveryCodes: readonly string[] | null) => void;
}

/** Makes a passkey on this device, or on one that the browser finds. */
export default function AddPasskeyDialog({ onClose, onAdded }: AddPasskeyDialogProps): ReactNode {
  const client = useQueryClient();
  const [problem, setProblem] = useState<string>();

  async function add({ name }: z.output<typeof passkeyName>): Promise<void> {
    setProblem(undefined);
    try {
      const { recoveryCodes } = await confirmed(() => addPasskey(api, { name }));
      void client.invalidateQueries({ queryKey: topicKey(['security']) });
      notify(texts.added);
      onAdded(recoveryCodes);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      setProblem(passkeyErrorText(error));
    }
  }

  return (
    <Dialog isOpen onClose={onClose} title={texts.add} size="sm">
      <Form schema={passkeyName} onSubmit={add}>
        {({ isBusy }) => (
          <>
            <Input
              name="name"
              label={texts.name}
              hint={texts.nameHint}
              error={problem}
              maxLength={80}
              autoComplete="off"
              data-autofocus
            />
            <DialogButtons action={texts.add} isBusy={isBusy} onCancel={onClose} />
          </>
        )}
      </Form>
    </Dialog>
  );
}
