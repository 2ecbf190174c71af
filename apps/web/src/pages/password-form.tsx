import { ApiError } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { api } from '../api.ts';
import { Form } from '../forms/form.tsx';
import { texts } from '../texts/welcome.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import { PublicFrame } from './public-frame.tsx';

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

interface PasswordFormProps {
  /** Lets its holder choose a password, once. */
  readonly token: string;
  /** @param email - of the account */
  readonly onChanged: (email: string) => void;
  /** The token has expired or been used. */
  readonly onRefused: () => void;
}

/** Chooses a password, twice the same. */
export function PasswordForm({ token, onChanged, onRefused }: PasswordFormProps): ReactNode {
  async function change({ password }: z.output<typeof schema>): Promise<void> {
    try {
      const { email } = await api.auth.resetPassword({ body: { token, password } });
      onChanged(email);
    } catch (error) {
      if (!isDeadLink(error)) throw error;
      onRefused();
    }
  }
  return (
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
          <Input name="repeated" type="password" label={reset.repeat} autoComplete="new-password" />
          <Button type="submit" tone="primary" isBusy={isBusy}>
            {reset.submit}
          </Button>
        </>
      )}
    </Form>
  );
}

/** Says that the password is changed, and leads to the sign-in. */
export function PasswordChanged({
  email,
  redirect,
}: {
  readonly email: string;
  readonly redirect?: string | undefined;
}): ReactNode {
  return (
    <PublicFrame title={reset.done} description={reset.doneHint}>
      <Link
        to="/login"
        search={{ email, ...(redirect && { redirect }) }}
        className={`${buttonClass('primary')} w-full`}
      >
        {texts.signIn}
      </Link>
    </PublicFrame>
  );
}

/** Says that the token is no longer good, and leads to a new one. */
export function DeadResetLink(): ReactNode {
  return (
    <PublicFrame title={reset.failed} description={reset.failedHint}>
      <Link to="/forgot-password" className={`${buttonClass('primary')} w-full`}>
        {reset.again}
      </Link>
    </PublicFrame>
  );
}

/** Whether the service refuses the token, not the password. */
export function isDeadLink(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.code === 'invalid_or_expired_token' ||
      error.issues.some(({ path }) => path[0] === 'token'))
  );
}
