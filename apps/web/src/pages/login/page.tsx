import type { SignedIn } from '@atelier/client';
import { passkeyForSignIn, passkeysSupported, signInWithPasskey } from '@atelier/client/passkeys';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { api } from '../../session/api.ts';
import { Form } from '../../forms/form.tsx';
import { PasskeyButton, PasskeyProblem } from '../../forms/passkey-button.tsx';
import { usePasskeyAutofill } from '../../forms/use-passkey-autofill.ts';
import { useSecondFactor } from '../../forms/use-second-factor.tsx';
import { startSession } from '../../session/session.ts';
import { texts as passkeyTexts } from '../../texts/passkeys.ts';
import { texts as factorTexts } from '../../texts/second-factor.ts';
import { texts } from '../../texts/welcome.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordInput } from '../../forms/password-input.tsx';
import { Input } from '../../ui/field.tsx';
import { PublicFrame } from '../public-frame.tsx';
import { ProviderButtons } from '../provider-buttons.tsx';

const { login, fields, problems } = texts;

const schema = z.object({
  email: z.string().check(z.trim(), z.minLength(1, problems.email)),
  password: z.string().check(z.minLength(1, problems.password)),
});

const linkClass = 'font-medium text-accent underline-offset-4 hover:underline';

export default function LoginPage(): ReactNode {
  const { redirect, email } = useSearch({ from: '/login' });
  const router = useRouter();

  function enter(signedIn: SignedIn): void {
    startSession(signedIn);
    router.history.push(redirect ?? '/');
  }

  const { submit, form, reset } = useSecondFactor<z.output<typeof schema>>(
    () => passkeyForSignIn(api),
    async (body) => {
      enter(await api.auth.login({ body }));
    },
  );
  const autofill = usePasskeyAutofill(enter);

  if (form) {
    const otherAccount = (
      <button type="button" onClick={reset} className={linkClass}>
        {factorTexts.otherAccount}
      </button>
    );
    return (
      <PublicFrame title={factorTexts.title} aside={otherAccount}>
        {form}
      </PublicFrame>
    );
  }

  return (
    <PublicFrame
      title={login.title}
      aside={
        <>
          {login.noAccount}{' '}
          <Link to="/register" search={redirect ? { redirect } : {}} className={linkClass}>
            {login.register}
          </Link>
        </>
      }
    >
      <Form schema={schema} onSubmit={submit}>
        {({ isBusy }) => (
          <>
            <Input
              name="email"
              type="email"
              label={fields.email}
              defaultValue={email}
              autoComplete="username webauthn"
              autoFocus
            />
            <PasswordInput
              name="password"
              label={fields.password}
              autoComplete="current-password"
              hint={
                <Link
                  to="/forgot-password"
                  className="text-accent underline-offset-4 hover:underline"
                >
                  {login.forgot}
                </Link>
              }
            />
            <Button type="submit" tone="primary" isBusy={isBusy}>
              {login.submit}
            </Button>
          </>
        )}
      </Form>
      {passkeysSupported() ? (
        <div className="mt-3 flex flex-col gap-2">
          <PasskeyButton
            label={passkeyTexts.signIn}
            ask={async () => {
              const signingIn = signInWithPasskey(api);
              signingIn.catch(() => autofill.restart());
              enter(await signingIn);
            }}
          />
          <PasskeyProblem error={autofill.error} />
        </div>
      ) : null}
      <ProviderButtons redirect={redirect} />
    </PublicFrame>
  );
}
