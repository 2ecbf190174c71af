import { ApiError } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { api } from '../../api.ts';
import { Form } from '../../forms/form.tsx';
import { errorText } from '../../session/error-texts.ts';
import { texts as shared } from '../../texts/shared.ts';
import { texts } from '../../texts/welcome.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { PublicFrame } from '../public-frame.tsx';

const { reset, fields, problems } = texts;

const schema = z
  .object({
    password: z.string().check(z.minLength(8, problems.newPassword)),
    repeated: z.string(),
  })
  .check(
    z.refine(({ password, repeated }) => password === repeated, {
      path: ['repeated'],
      error: reset.differs,
    }),
  );

export default function ResetPasswordPage(): ReactNode {
  const { token = '' } = useSearch({ from: '/reset-password' });
  const [changedFor, setChangedFor] = useState<string>();
  const [isRefused, setRefused] = useState(token === '');
  const check = useQuery({
    queryKey: ['reset-password', token],
    queryFn: ({ signal }) => api.auth.verifyToken({ query: { token } }, { signal }),
    enabled: token !== '' && changedFor === undefined,
  });

  async function change({ password }: z.output<typeof schema>): Promise<void> {
    try {
      const { email } = await api.auth.resetPassword({ body: { token, password } });
      setChangedFor(email);
    } catch (error) {
      if (!isDeadLink(error)) throw error;
      setRefused(true);
    }
  }

  if (changedFor) {
    return (
      <PublicFrame title={reset.done} description={reset.doneHint}>
        <Link
          to="/login"
          search={{ email: changedFor }}
          className={`${buttonClass('primary')} w-full`}
        >
          {texts.signIn}
        </Link>
      </PublicFrame>
    );
  }
  if (isRefused || isDeadLink(check.error)) {
    return (
      <PublicFrame title={reset.failed} description={reset.failedHint}>
        <Link to="/forgot-password" className={`${buttonClass('primary')} w-full`}>
          {reset.again}
        </Link>
      </PublicFrame>
    );
  }
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
      <Form schema={schema} onSubmit={change}>
        {({ isBusy }) => (
          <>
            <Input
              name="password"
              type="password"
              label={fields.newPassword}
              hint={fields.passwordHint}
              autoComplete="new-password"
              autoFocus
            />
            <Input
              name="repeated"
              type="password"
              label={reset.repeat}
              autoComplete="new-password"
            />
            <Button type="submit" tone="primary" isBusy={isBusy}>
              {reset.submit}
            </Button>
          </>
        )}
      </Form>
    </PublicFrame>
  );
}

function isDeadLink(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.code === 'invalid_or_expired_token' ||
      error.issues.some(({ path }) => path[0] === 'token'))
  );
}
