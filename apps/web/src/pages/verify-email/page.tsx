import { ApiError } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { errorText } from '../../ui/error-texts.ts';
import { texts as shared } from '../../texts/shared.ts';
import { texts } from '../../texts/welcome.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { InvalidResetLink, PasswordChanged, PasswordForm } from '../password-form.tsx';
import { PublicFrame } from '../public-frame.tsx';
import { rememberedInvitation } from '../remembered-invitation.ts';

const { verify } = texts;

export default function VerifyEmailPage(): ReactNode {
  const { token } = useSearch({ from: '/verify-email' });
  return token ? (
    <Verification token={token} />
  ) : (
    <PublicFrame title={verify.missing} description={verify.missingHint}>
      <SignInLink />
    </PublicFrame>
  );
}

function Verification({ token }: { readonly token: string }): ReactNode {
  // A link works once, so the query must not refetch automatically.
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['verify-email', token],
    queryFn: () => api.auth.verifyEmail({ body: { token } }),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retryOnMount: false,
  });
  if (data?.resetToken) return <ChoosePassword email={data.email} token={data.resetToken} />;
  if (data) {
    return (
      <PublicFrame title={verify.done} description={verify.doneHint(data.email)}>
        <SignInLink email={data.email} />
      </PublicFrame>
    );
  }
  if (!error) {
    return (
      <PublicFrame title={verify.verifying}>
        <Loading>
          <Skeleton className="h-9" />
        </Loading>
      </PublicFrame>
    );
  }
  if (!(error instanceof ApiError) || error.code !== 'invalid_or_expired_token') {
    return (
      <PublicFrame title={verify.interrupted} description={errorText(error)}>
        <Button
          tone="primary"
          className="w-full"
          isBusy={isFetching}
          onClick={() => void refetch()}
        >
          {shared.retry}
        </Button>
      </PublicFrame>
    );
  }
  return (
    <PublicFrame title={verify.failed} description={verify.failedHint}>
      <div className="flex flex-col gap-2">
        <SignInLink />
        <Link to="/register" className={buttonClass()}>
          {verify.registerAgain}
        </Link>
      </div>
    </PublicFrame>
  );
}

/** Asks for a new password if the address was registered with several: any may be an attacker's. */
function ChoosePassword({
  email,
  token,
}: {
  readonly email: string;
  readonly token: string;
}): ReactNode {
  const [isChanged, setChanged] = useState(false);
  const [isRefused, setRefused] = useState(false);
  if (isChanged) return <PasswordChanged email={email} redirect={rememberedInvitation()} />;
  if (isRefused) return <InvalidResetLink />;
  return (
    <PublicFrame title={verify.choose} description={verify.chooseHint(email)}>
      <PasswordForm
        token={token}
        onChanged={() => setChanged(true)}
        onRefused={() => setRefused(true)}
      />
    </PublicFrame>
  );
}

/** Links to the sign-in page, and from there to the invitation that led to the sign-up. */
function SignInLink({ email }: { readonly email?: string }): ReactNode {
  const redirect = rememberedInvitation();
  return (
    <Link
      to="/login"
      search={{ ...(email && { email }), ...(redirect && { redirect }) }}
      className={`${buttonClass('primary')} w-full`}
    >
      {texts.signIn}
    </Link>
  );
}
