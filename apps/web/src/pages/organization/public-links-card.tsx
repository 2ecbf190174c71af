import type { Organization } from '@atelier/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { api } from '../../session/api.ts';
import { Form } from '../../forms/form.tsx';
import { saveUnlessChanged } from '../../forms/save-unless-changed.ts';
import { accountKeys } from '../../session/account.ts';
import { texts } from '../../texts/organization.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Select } from '../../ui/field.tsx';
import { notify } from '../../ui/notices.tsx';
import { keysOf } from '../../ui/options.ts';

const { publicLinks: words } = texts;
const choices = keysOf(words.choices);
const schema = z.object({ publicLinks: z.enum(choices) });

/** Changes the team's setting for public links, unless someone else has changed it in between. */
export default function PublicLinksCard({
  organization,
}: {
  readonly organization: Organization;
}): ReactNode {
  const client = useQueryClient();
  const { id } = organization;
  const [chosen, choose] = useState(organization.publicLinks);

  async function save({ publicLinks }: z.output<typeof schema>): Promise<void> {
    const params = { id };
    const isSaved = await saveUnlessChanged({
      read: () => api.organizations.get({ params }).withMeta(),
      isSame: (current) => current.publicLinks === organization.publicLinks,
      isSaved: (current) => current.publicLinks === publicLinks,
      write: (options) => api.organizations.rename({ params, body: { publicLinks } }, options),
    });
    if (isSaved) notify(words.saved);
    else notify(words.changedByOther, { tone: 'info' });
    await client.invalidateQueries({ queryKey: accountKeys.organizations });
  }

  return (
    <Card>
      <h2>{words.title}</h2>
      <p className="mt-0.5 mb-4 text-ink-muted">{words.hint}</p>
      <Form schema={schema} onSubmit={save} className="flex flex-wrap items-start gap-x-3 gap-y-4">
        {({ isBusy }) => (
          <>
            <div className="w-full sm:w-96">
              <Select
                name="publicLinks"
                label={words.label}
                isLabelHidden
                hint={words.explanations[chosen]}
                defaultValue={organization.publicLinks}
                onChange={({ target }) => choose(schema.shape.publicLinks.parse(target.value))}
              >
                {choices.map((choice) => (
                  <option key={choice} value={choice}>
                    {words.choices[choice]}
                  </option>
                ))}
              </Select>
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
