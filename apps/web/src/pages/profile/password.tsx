import type { User } from '@atelier/client';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { texts } from '../../texts/profile.ts';
import { Button } from '../../ui/button.tsx';
import { notifyFailure } from '../../ui/notices.tsx';
import { Section } from './section.tsx';

const { password: words } = texts;

/** Emails a link to change the password, which proves that the user owns the mailbox. */
export function PasswordSection({ user }: { readonly user: User }): ReactNode {
  const request = useMutation({
    mutationFn: () => api.auth.requestPasswordReset({ body: { email: user.email } }),
    onError: notifyFailure,
  });
  return (
    <Section
      title={words.title}
      hint={words.hint}
      actions={
        <Button isBusy={request.isPending} onClick={() => request.mutate()}>
          {words.submit}
        </Button>
      }
    >
      {request.isSuccess ? (
        <p
          role="status"
          className="rounded-md bg-success-soft px-3 py-2 wrap-anywhere text-success"
        >
          {words.sent(user.email)}
        </p>
      ) : null}
    </Section>
  );
}
