import { ApiError } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { api } from '../session/api.ts';
import { Form } from '../forms/form.tsx';
import { NewPassword } from '../forms/new-password.tsx';
import { texts } from '../texts/welcome.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { PasswordInput } from '../forms/password-input.tsx';
import { PublicFrame } from './public-frame.tsx';

const { reset, fields, problems } = texts;

const schema = z
  .object({
    password: z.string().check(z.minLength(8, problems.newPassword)),
    repeated: z.string(),
    /** Only a checked box has a value. */
    revokeApiKeys: z.optional(z.string()),
  })
  .check(
    z.refine(({ password, repeated }) => password === repeated, {
      path: ['repeated'],
      error: reset.differs,
    }),
  );

interface PasswordFormProps {
  /** Single-use token that allows setting a password. */
  readonly token: string;
  /** @param email - of the account */
  readonly onChanged: (email: string) => void;
  /** Called if the token has expired or been used. */
  readonly onRefused: () => void;
  /** Fields below the passwords. */
  readonly children?: ReactNode;
}

/** Sets a new password, which has to be entered twice. */
export function PasswordForm({
  token,
  onChanged,
  onRefused,
  children,
}: PasswordFormProps): ReactNode {
  async function change(values: z.output<typeof schema>): Promise<void> {
    const { password, revokeApiKeys } = values;
    const body = { token, password, ...(revokeApiKeys && { revokeApiKeys: true }) };
    try {
      const { email } = await api.auth.resetPassword({ body });
      onChanged(email);
    } catch (error) {
      if (!isInvalidLink(error)) throw error;
      onRefused();
    }
  }
  return (
    <Form schema={schema} onSubmit={change}>
      {({ isBusy }) => (
        <>
          <NewPassword name="password" label={fields.newPassword} autoFocus />
          <PasswordInput name="repeated" label={reset.repeat} autoComplete="new-password" />
          {children}
          <Button type="submit" tone="primary" isBusy={isBusy}>
            {reset.submit}
          </Button>
        </>
      )}
    </Form>
  );
}

/** Confirms the change and links to the sign-in page. */
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

/** Explains that the link is no longer valid and offers a new one. */
export function InvalidResetLink(): ReactNode {
  return (
    <PublicFrame title={reset.failed} description={reset.failedHint}>
      <Link to="/forgot-password" className={`${buttonClass('primary')} w-full`}>
        {reset.again}
      </Link>
    </PublicFrame>
  );
}

/** Tells whether the API rejected the token rather than the password. */
export function isInvalidLink(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.code === 'invalid_or_expired_token' ||
      error.issues.some(({ path }) => path[0] === 'token'))
  );
}
