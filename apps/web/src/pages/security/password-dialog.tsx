import { ApiError, type User } from '@atelier/client';
import { passkeyInSession } from '@atelier/client/passkeys';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { Form } from '../../forms/form.tsx';
import { NewPassword } from '../../forms/new-password.tsx';
import { useSecondFactor } from '../../forms/use-second-factor.tsx';
import { DialogButtons } from '../../library/dialog-buttons.tsx';
import { api } from '../../session/api.ts';
import { topicKey } from '../../session/queries.ts';
import { texts as factorTexts } from '../../texts/second-factor.ts';
import { texts } from '../../texts/security.ts';
import { texts as welcome } from '../../texts/welcome.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { PasswordInput } from '../../forms/password-input.tsx';
import { notify } from '../../ui/notices.tsx';

const { password: words } = texts;

const schema = z.object({
  currentPassword: z.string().check(z.minLength(1, words.missing)),
  newPassword: z.string().check(z.minLength(8, welcome.problems.newPassword)),
  // Only a checked box has a value.
  endOtherSessions: z.pipe(
    z.optional(z.string()),
    z.transform((value) => value !== undefined),
  ),
});
type Values = z.output<typeof schema>;

interface PasswordDialogProps {
  readonly user: User;
  readonly onClose: () => void;
}

/** Replaces the password by another. */
export default function PasswordDialog({ user, onClose }: PasswordDialogProps): ReactNode {
  const client = useQueryClient();
  const [error, setError] = useState<string>();
  const proof = useSecondFactor<Values>(
    () => passkeyInSession(api),
    async (body) => {
      await api.security.changePassword({ body });
      void client.invalidateQueries({ queryKey: topicKey(['sessions']) });
      onClose();
      notify(words.changed);
    },
  );

  async function submit(values: Values): Promise<void> {
    setError(undefined);
    try {
      await proof.submit(values);
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.code !== 'invalid_credentials') throw failure;
      setError(words.wrong);
    }
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={proof.form ? factorTexts.title : words.change}
      size="sm"
    >
      {proof.form ?? (
        <Form schema={schema} onSubmit={submit}>
          {({ isBusy }) => (
            <>
              <input type="hidden" name="username" autoComplete="username" value={user.email} />
              <PasswordInput
                name="currentPassword"
                label={words.current}
                error={error}
                autoComplete="current-password"
                data-autofocus
              />
              <NewPassword
                name="newPassword"
                label={welcome.fields.newPassword}
                known={[user.email, user.displayName]}
              />
              <label className="flex items-center gap-2">
                <input
                  type="checkbox"
                  name="endOtherSessions"
                  defaultChecked
                  className="size-4 cursor-pointer"
                />
                {words.endOthers}
              </label>
              <DialogButtons action={words.submit} isBusy={isBusy} onCancel={onClose} />
            </>
          )}
        </Form>
      )}
    </Dialog>
  );
}
