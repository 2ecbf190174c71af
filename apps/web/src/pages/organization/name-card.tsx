import type { Organization } from '@atelier/client';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { api } from '../../session/api.ts';
import { Form } from '../../forms/form.tsx';
import { saveUnlessChanged } from '../../forms/save-unless-changed.ts';
import { accountKeys } from '../../session/account.ts';
import { texts } from '../../texts/organization.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Input } from '../../ui/field.tsx';
import { notify } from '../../ui/notices.tsx';

const { general: words } = texts;
const schema = z.object({ name: z.string().check(z.trim(), z.minLength(1, words.missing)) });

/** Renames an organization, unless someone else has renamed it since the page was loaded. */
export default function NameCard({
  organization,
}: {
  readonly organization: Organization;
}): ReactNode {
  const client = useQueryClient();
  const { id } = organization;

  async function rename({ name }: z.output<typeof schema>): Promise<void> {
    const params = { id };
    const isSaved = await saveUnlessChanged({
      read: () => api.organizations.get({ params }).withMeta(),
      isSame: (current) => current.name === organization.name,
      isSaved: (current) => current.name === name,
      write: (options) => api.organizations.rename({ params, body: { name } }, options),
    });
    if (isSaved) notify(words.saved(name));
    else notify(words.changedByOther, { tone: 'info' });
    await client.invalidateQueries({ queryKey: accountKeys.organizations });
  }

  return (
    <Card>
      <h2>{words.title}</h2>
      <p className="mt-0.5 mb-4 text-ink-muted">{words.hint}</p>
      <Form
        // Resets the input when the name changes elsewhere.
        key={organization.name}
        schema={schema}
        onSubmit={rename}
        className="flex flex-wrap items-start gap-x-3 gap-y-4"
      >
        {({ isBusy }) => (
          <>
            <div className="w-full sm:w-96">
              <Input
                name="name"
                label={words.name}
                isLabelHidden
                defaultValue={organization.name}
                maxLength={80}
                autoComplete="off"
              />
            </div>
            <Button type="submit" tone="primary" isBusy={isBusy}>
              {words.submit}
            </Button>
          </>
        )}
      </Form>
    </Card>
  );
}
