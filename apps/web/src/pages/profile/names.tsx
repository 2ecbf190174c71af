import type { User } from '@atelier/client';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { api } from '../../session/api.ts';
import { Form } from '../../forms/form.tsx';
import { accountKeys } from '../../session/account.ts';
import { texts } from '../../texts/profile.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { notify } from '../../ui/notices.tsx';
import { Section } from '../../ui/section.tsx';

const { names: words } = texts;
const schema = z.object({
  firstName: z.string().check(z.trim()),
  lastName: z.string().check(z.trim()),
});

/** Changes the user's name. */
export default function NamesSection({ user }: { readonly user: User }): ReactNode {
  const client = useQueryClient();

  async function save({ firstName, lastName }: z.output<typeof schema>): Promise<void> {
    const body = { firstName: firstName || null, lastName: lastName || null };
    client.setQueryData(accountKeys.user, await api.profile.update({ body }));
    notify(words.saved);
  }

  return (
    <Section title={words.title}>
      <Form schema={schema} onSubmit={save}>
        {({ isBusy }) => (
          <>
            <div className="grid gap-4 sm:grid-cols-2">
              <Input
                name="firstName"
                label={words.first}
                defaultValue={user.firstName ?? ''}
                maxLength={80}
                autoComplete="given-name"
              />
              <Input
                name="lastName"
                label={words.last}
                defaultValue={user.lastName ?? ''}
                maxLength={80}
                autoComplete="family-name"
              />
            </div>
            <Button type="submit" tone="primary" className="self-start" isBusy={isBusy}>
              {words.submit}
            </Button>
          </>
        )}
      </Form>
    </Section>
  );
}
