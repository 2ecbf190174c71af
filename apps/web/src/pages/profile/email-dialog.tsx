import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { Form } from '../../forms/form.tsx';
import { DialogButtons } from '../../library/dialog-buttons.tsx';
import { api } from '../../session/api.ts';
import { confirmed } from '../../session/confirmed.ts';
import { texts } from '../../texts/profile.ts';
import { texts as welcome } from '../../texts/welcome.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';

const { email: words } = texts;
const schema = z.object({ newEmail: z.string().check(z.trim(), z.email(welcome.problems.email)) });

interface EmailDialogProps {
  readonly onClose: () => void;
  readonly onSent: (newEmail: string) => void;
}

/** Asks for another address. It changes once the link that it gets is opened. */
export default function EmailDialog({ onClose, onSent }: EmailDialogProps): ReactNode {
  async function send(body: z.output<typeof schema>): Promise<void> {
    const { newEmail } = await confirmed(() => api.account.requestEmailChange({ body }));
    onSent(newEmail);
  }
  return (
    <Dialog isOpen onClose={onClose} title={words.change} description={words.text} size="sm">
      <Form schema={schema} onSubmit={send}>
        {({ isBusy }) => (
          <>
            <Input
              name="newEmail"
              type="email"
              label={words.newEmail}
              autoComplete="email"
              data-autofocus
            />
            <DialogButtons action={words.submit} isBusy={isBusy} onCancel={onClose} />
          </>
        )}
      </Form>
    </Dialog>
  );
}
