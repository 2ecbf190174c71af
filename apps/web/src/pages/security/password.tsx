import type { User } from '@atelier/client';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../../loading/lazy.tsx';
import { api } from '../../session/api.ts';
import { texts } from '../../texts/security.ts';
import { Button } from '../../ui/button.tsx';
import { notifyFailure } from '../../ui/notices.tsx';
import { Section } from '../../ui/section.tsx';

const { password: words } = texts;

const PasswordDialog = lazyDialog(() => import('./password-dialog.tsx'));

interface PasswordSectionProps {
  readonly user: User;
  readonly hasPassword: boolean;
}

/** Changes the password; an account without one gets a link to choose it. */
export function PasswordSection({ user, hasPassword }: PasswordSectionProps): ReactNode {
  return hasPassword ? <ChangePassword user={user} /> : <ChoosePassword user={user} />;
}

function ChangePassword({ user }: { readonly user: User }): ReactNode {
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <Section
        title={words.title}
        hint={words.hint}
        actions={<Button onClick={() => setChanging(true)}>{words.change}</Button>}
      />
      <Suspense>
        {isChanging ? <PasswordDialog user={user} onClose={() => setChanging(false)} /> : null}
      </Suspense>
    </>
  );
}

/** Emails a link, which proves that the user owns the mailbox. */
function ChoosePassword({ user }: { readonly user: User }): ReactNode {
  const request = useMutation({
    mutationFn: () => api.auth.requestPasswordReset({ body: { email: user.email } }),
    onError: notifyFailure,
  });
  return (
    <Section
      title={words.title}
      hint={words.without}
      actions={
        <Button isBusy={request.isPending} onClick={() => request.mutate()}>
          {words.mail}
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
