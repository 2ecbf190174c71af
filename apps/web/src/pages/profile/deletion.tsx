import { ApiError, type User } from '@atelier/client';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { confirmed } from '../../session/confirmed.ts';
import { signOut } from '../../session/session.ts';
import { texts } from '../../texts/profile.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { errorText } from '../../ui/error-texts.ts';
import { notify } from '../../ui/notices.tsx';
import { Section } from '../../ui/section.tsx';
import { shortDate } from '../../ui/time-format.ts';

const { deletion: words } = texts;

/** Deletes the account after the user has typed its address, which the API verifies. */
export function DeletionSection({ user }: { readonly user: User }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const deletion = useMutation({
    mutationFn: () =>
      confirmed(() => api.account.requestDeletion({ body: { confirmation: user.email } })),
    onSuccess({ deletesAt }) {
      // Afterwards: the end of a session removes all notices.
      void signOut().then(() => notify(words.done(shortDate(deletesAt)), { tone: 'info' }));
    },
  });
  return (
    <>
      <Section
        title={words.title}
        hint={words.hint}
        actions={
          <Button tone="danger" onClick={() => setAsking(true)}>
            {words.open}
          </Button>
        }
      />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.confirm}
        action={words.action}
        typedName={user.email}
        isBusy={deletion.isPending}
        error={deletion.error ? refusalText(deletion.error) : undefined}
        onConfirm={() => deletion.mutate()}
      >
        {words.text}
      </ConfirmDialog>
    </>
  );
}

/** Names the teams that would have no owner. */
function refusalText(error: Error): string {
  const isLastOwner = error instanceof ApiError && error.code === 'last_owner';
  if (!isLastOwner) return errorText(error);
  return words.lastOwner(error.issues.map(({ message }) => message).join(', '));
}
