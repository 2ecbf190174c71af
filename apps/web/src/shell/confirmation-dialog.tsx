import { ApiError } from '@atelier/client';
import { confirmWithPasskey, passkeyInSession, passkeysSupported } from '@atelier/client/passkeys';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { Form } from '../forms/form.tsx';
import { PasskeyButton } from '../forms/passkey-button.tsx';
import { useSecondFactor } from '../forms/use-second-factor.tsx';
import { api } from '../session/api.ts';
import { accountQueries } from '../session/queries.ts';
import { question } from '../session/confirmed.ts';
import { texts } from '../texts/confirmation.ts';
import { texts as passkeyTexts } from '../texts/passkeys.ts';
import { texts as factorTexts } from '../texts/second-factor.ts';
import { texts as shared } from '../texts/shared.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PasswordInput } from '../forms/password-input.tsx';

const schema = z.object({ password: z.string().check(z.minLength(1, texts.missing)) });

/** Asks for the password of the session's account. */
export default function ConfirmationDialog({
  onClose,
}: {
  /** Called when the user doesn't confirm. */
  readonly onClose: () => void;
}): ReactNode {
  const [error, setError] = useState<string>();
  const { data: security } = useQuery(accountQueries.security.overview.queryOptions());
  const hasPasskey = passkeysSupported() && security !== undefined && security.passkeys.length > 0;
  const onEnd = question.get()?.answer ?? (() => {});
  const proof = useSecondFactor<z.output<typeof schema>>(
    () => passkeyInSession(api),
    async (body) => {
      await api.auth.confirm({ body });
      onEnd(true);
    },
  );

  async function submit(body: z.output<typeof schema>): Promise<void> {
    setError(undefined);
    try {
      await proof.submit(body);
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.code !== 'invalid_credentials') throw failure;
      setError(texts.wrong);
    }
  }

  if (proof.form) {
    return (
      <Dialog isOpen onClose={onClose} title={factorTexts.title} size="sm">
        {proof.form}
      </Dialog>
    );
  }
  return (
    <Dialog isOpen onClose={onClose} title={texts.title} description={texts.hint} size="sm">
      <Form schema={schema} onSubmit={submit}>
        {({ isBusy }) => (
          <>
            <PasswordInput
              name="password"
              label={texts.password}
              hint={texts.without}
              error={error}
              autoComplete="current-password"
              data-autofocus
            />
            <div className="flex justify-end gap-2 pb-2">
              <Button onClick={onClose}>{shared.cancel}</Button>
              <Button tone="primary" type="submit" isBusy={isBusy}>
                {texts.submit}
              </Button>
            </div>
          </>
        )}
      </Form>
      {hasPasskey ? (
        <PasskeyButton
          label={passkeyTexts.confirm}
          ask={async () => {
            await confirmWithPasskey(api);
            onEnd(true);
          }}
        />
      ) : null}
    </Dialog>
  );
}
