import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { api } from '../../session/api.ts';
import { Form } from '../../forms/form.tsx';
import { texts } from '../../texts/welcome.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { PublicFrame } from '../public-frame.tsx';

const { forgot, fields, problems } = texts;

const schema = z.object({ email: z.string().check(z.trim(), z.email(problems.email)) });

export default function ForgotPasswordPage(): ReactNode {
  const [sentTo, setSentTo] = useState<string>();
  const back = (
    <Link to="/login" className="font-medium text-accent underline-offset-4 hover:underline">
      {forgot.back}
    </Link>
  );

  async function send(body: z.output<typeof schema>): Promise<void> {
    await api.auth.requestPasswordReset({ body });
    setSentTo(body.email);
  }

  if (sentTo) {
    return (
      <PublicFrame title={forgot.sent} description={forgot.sentTo(sentTo)} aside={back}>
        <button
          type="button"
          className={`${buttonClass()} w-full`}
          onClick={() => setSentTo(undefined)}
        >
          {forgot.otherAddress}
        </button>
      </PublicFrame>
    );
  }
  return (
    <PublicFrame title={forgot.title} description={forgot.hint} aside={back}>
      <Form schema={schema} onSubmit={send}>
        {({ isBusy }) => (
          <>
            <Input
              name="email"
              type="email"
              label={fields.email}
              autoComplete="username"
              autoFocus
            />
            <Button type="submit" tone="primary" isBusy={isBusy}>
              {forgot.submit}
            </Button>
          </>
        )}
      </Form>
    </PublicFrame>
  );
}
