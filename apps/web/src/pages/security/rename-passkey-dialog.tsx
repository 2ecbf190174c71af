import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Form } from '../../forms/form.tsx';
import { DialogButtons } from '../../library/dialog-buttons.tsx';
import { api } from '../../session/api.ts';
import { topicKey } from '../../session/queries.ts';
import { texts } from '../../texts/passkeys.ts';
import { texts as shared } from '../../texts/shared.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { notify } from '../../ui/notices.tsx';
import { passkeyName } from './passkey-name.ts';

interface RenamePasskeyDialogProps {
  readonly passkey: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

/** Renames a passkey. */
export default function RenamePasskeyDialog(props: RenamePasskeyDialogProps): ReactNode {
  const {
    passkey: { id, name },
    onClose,
  } = props;
  const client = useQueryClient();
  return (
    <Dialog isOpen onClose={onClose} title={texts.rename} size="sm">
      <Form
        schema={passkeyName}
        onSubmit={async (body) => {
          await api.security.renamePasskey({ params: { id }, body });
          void client.invalidateQueries({ queryKey: topicKey(['security']) });
          onClose();
          notify(texts.renamed);
        }}
      >
        {({ isBusy }) => (
          <>
            <Input
              name="name"
              label={texts.name}
              defaultValue={name}
              maxLength={80}
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
