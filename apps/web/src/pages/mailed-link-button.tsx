import { ApiError } from '@atelier/client';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts/welcome.ts';
import { errorText } from '../ui/error-texts.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { PublicFrame } from './public-frame.tsx';

interface MailedLinkButtonProps {
  /** From the link; undefined if it is incomplete. */
  readonly token: string | undefined;
  readonly words: {
    readonly title: string;
    readonly hint: string;
    readonly submit: string;
    readonly done: string;
    readonly doneHint: (email: string) => string;
    readonly failed: string;
    readonly failedHint: string;
  };
  readonly send: (token: string) => Promise<{ readonly email: string }>;
}

/** Does what a mailed link is for. A button asks first: programs that check mails open links too. */
export function MailedLinkButton({ token, words, send }: MailedLinkButtonProps): ReactNode {
  const sending = useMutation({ mutationFn: send });
  const { data, error } = sending;
  if (data) {
    return (
      <PublicFrame title={words.done} description={words.doneHint(data.email)}>
        <SignInLink email={data.email} />
      </PublicFrame>
    );
  }
  const isRefused = error instanceof ApiError && error.code === 'invalid_or_expired_token';
  if (!token || isRefused) {
    return (
      <PublicFrame title={words.failed} description={words.failedHint}>
        <SignInLink />
      </PublicFrame>
    );
  }
  return (
    <PublicFrame title={words.title} description={words.hint}>
      {error ? (
        <p role="alert" className="mb-4 rounded-md bg-danger-soft px-3 py-2 text-danger">
          {errorText(error)}
        </p>
      ) : null}
      <Button
        tone="primary"
        className="w-full"
        isBusy={sending.isPending}
        onClick={() => sending.mutate(token)}
      >
        {words.submit}
      </Button>
    </PublicFrame>
  );
}

function SignInLink({ email }: { readonly email?: string }): ReactNode {
  return (
    <Link
      to="/login"
      search={email ? { email } : {}}
      className={`${buttonClass('primary')} w-full`}
    >
      {texts.signIn}
    </Link>
  );
}
