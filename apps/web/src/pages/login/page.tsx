import { Link, useRouter, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { api } from '../../session/api.ts';
import { Form } from '../../forms/form.tsx';
import { startSession } from '../../session/session.ts';
import { texts } from '../../texts/welcome.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { PublicFrame } from '../public-frame.tsx';
import { ProviderButtons } from '../provider-buttons.tsx';

const { login, fields, problems } = texts;

const schema = z.object({
  email: z.string().check(z.trim(), z.minLength(1, problems.email)),
  password: z.string().check(z.minLength(1, problems.password)),
});

export default function LoginPage(): ReactNode {
  const { redirect, email } = useSearch({ from: '/login' });
  const router = useRouter();

  async function signIn(body: z.output<typeof schema>): Promise<void> {
    await api.auth.login({ body });
    startSession();
    router.history.push(redirect ?? '/');
  }

  return (
    <PublicFrame
      title={login.title}
      aside={
        <>
          {login.noAccount}{' '}
          <Link
            to="/register"
            search={redirect ? { redirect } : {}}
            className="font-medium text-accent underline-offset-4 hover:underline"
          >
            {login.register}
          </Link>
        </>
      }
    >
      <Form schema={schema} onSubmit={signIn}>
        {({ isBusy }) => (
          <>
            <Input
              name="email"
              type="email"
              label={fields.email}
              defaultValue={email}
              autoComplete="username"
              autoFocus
            />
            <Input
              name="password"
              type="password"
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
      <ProviderButtons redirect={redirect} />
    </PublicFrame>
  );
}
