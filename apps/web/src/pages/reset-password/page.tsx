import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { errorText } from '../../ui/error-texts.ts';
import { texts as shared } from '../../texts/shared.ts';
import { texts } from '../../texts/welcome.ts';
import { Button } from '../../ui/button.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import {
  InvalidResetLink,
  isInvalidLink,
  PasswordChanged,
  PasswordForm,
} from '../password-form.tsx';
import { PublicFrame } from '../public-frame.tsx';

const { reset } = texts;

export default function ResetPasswordPage(): ReactNode {
  const { token = '' } = useSearch({ from: '/reset-password' });
  const [changedFor, setChangedFor] = useState<string>();
  const [isRefused, setRefused] = useState(token === '');
  const check = useQuery({
    queryKey: ['reset-password', token],
    queryFn: ({ signal }) => api.auth.verifyToken({ query: { token } }, { signal }),
    enabled: token !== '' && changedFor === undefined,
    // A check that fails later would take away what is being entered.
    staleTime: Infinity,
  });

  if (changedFor) return <PasswordChanged email={changedFor} />;
  if (isRefused || isInvalidLink(check.error)) return <InvalidResetLink />;
  if (check.error) {
    return (
      <PublicFrame title={reset.interrupted} description={errorText(check.error)}>
        <Button className="w-full" isBusy={check.isFetching} onClick={() => void check.refetch()}>
          {shared.retry}
        </Button>
      </PublicFrame>
    );
  }
  if (!check.data) {
    return (
      <PublicFrame title={reset.checking}>
        <Loading>
          <Skeleton className="h-24" />
        </Loading>
      </PublicFrame>
    );
  }
  return (
    <PublicFrame title={reset.title} description={reset.hint}>
      <PasswordForm token={token} onChanged={setChangedFor} onRefused={() => setRefused(true)}>
        <label className="flex items-center gap-2">
          <input type="checkbox" name="revokeApiKeys" className="size-4 cursor-pointer" />
          {reset.revokeApiKeys}
        </label>
      </PasswordForm>
    </PublicFrame>
  );
}
