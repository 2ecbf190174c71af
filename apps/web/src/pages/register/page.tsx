import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { api } from '../../session/api.ts';
import { Form } from '../../forms/form.tsx';
import { NewPassword } from '../../forms/new-password.tsx';
import { texts } from '../../texts/welcome.ts';
import { Button } from '../../ui/button.tsx';
import { errorText } from '../../ui/error-texts.ts';
import { Input } from '../../ui/field.tsx';
import { PublicFrame } from '../public-frame.tsx';
import { ProviderButtons } from '../provider-buttons.tsx';

const { register, fields, problems } = texts;

const schema = z.object({
  firstName: z.string().check(z.trim()),
  lastName: z.string().check(z.trim()),
  email: z.string().check(z.trim(), z.email(problems.email)),
  password: z.string().check(z.minLength(8, problems.newPassword)),
});

type Registration = Parameters<typeof api.auth.register>[0]['body'];

export default function RegisterPage(): ReactNode {
  const { redirect, email } = useSearch({ from: '/register' });
  const [registered, setRegistered] = useState<Registration>();

  async function create({ firstName, lastName, ...rest }: z.output<typeof schema>): Promise<void> {
    const body = { ...rest, ...(firstName && { firstName }), ...(lastName && { lastName }) };
    await api.auth.register({ body });
    setRegistered(body);
  }

  const aside = (
    <>
      {register.hasAccount}{' '}
      <Link
        to="/login"
        search={redirect ? { redirect } : {}}
        className="font-medium text-accent underline-offset-4 hover:underline"
      >
        {register.login}
      </Link>
    </>
  );

  if (registered) {
    return (
      <PublicFrame
        title={register.sent}
        description={register.sentTo(registered.email)}
        aside={aside}
      >
        <SendAgain registration={registered} />
      </PublicFrame>
    );
  }
  return (
    <PublicFrame title={register.title} aside={aside}>
      <Form schema={schema} onSubmit={create}>
        {({ isBusy }) => (
          <>
            <div className="grid grid-cols-2 gap-3">
              <Input
                name="firstName"
                label={fields.firstName}
                autoComplete="given-name"
                autoFocus
              />
              <Input name="lastName" label={fields.lastName} autoComplete="family-name" />
            </div>
            <Input
              name="email"
              type="email"
              label={fields.email}
              defaultValue={email}
              autoComplete="username"
            />
            <NewPassword name="password" label={fields.password} />
            <Button type="submit" tone="primary" isBusy={isBusy}>
              {register.submit}
            </Button>
          </>
        )}
      </Form>
      <ProviderButtons redirect={redirect} />
    </PublicFrame>
  );
}

/** Registers once more, which mails a new link. */
function SendAgain({ registration }: { readonly registration: Registration }): ReactNode {
  const sending = useMutation({ mutationFn: () => api.auth.register({ body: registration }) });
  const { error } = sending;
  return (
    <div className="flex flex-col gap-3">
      <Button isBusy={sending.isPending} onClick={() => sending.mutate()}>
        {register.sendAgain}
      </Button>
      <p aria-live="polite" className="text-sm text-ink-muted empty:hidden">
        {sending.isSuccess ? register.sentAgain : null}
        {error ? errorText(error) : null}
      </p>
    </div>
  );
}
