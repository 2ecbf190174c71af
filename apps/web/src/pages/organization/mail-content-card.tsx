import type { Organization } from '@atelier/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { Form } from '../../forms/form.tsx';
import { saveUnlessChanged } from '../../forms/save-unless-changed.ts';
import { accountKeys } from '../../session/account.ts';
import { api } from '../../session/api.ts';
import { texts } from '../../texts/organization.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Select } from '../../ui/field.tsx';
import { notify } from '../../ui/notices.tsx';
import { keysOf } from '../../ui/options.ts';

const { mailContent: words } = texts;
const choices = keysOf(words.choices);
const schema = z.object({ mailContent: z.enum(choices) });

/** Changes what mails about the organization disclose, unless someone else has changed it in between. */
export default function MailContentCard({
  organization,
}: {
  readonly organization: Organization;
}): ReactNode {
  const client = useQueryClient();
  const { id } = organization;
  const [chosen, choose] = useState(organization.mailContent);

  async function save({ mailContent }: z.output<typeof schema>): Promise<void> {
    const params = { id };
    const isSaved = await saveUnlessChanged({
      read: () => api.organizations.get({ params }).withMeta(),
      isSame: (current) => current.mailContent === organization.mailContent,
      isSaved: (current) => current.mailContent === mailContent,
      write: (options) => api.organizations.rename({ params, body: { mailContent } }, options),
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
                name="mailContent"
                label={words.label}
                isLabelHidden
                hint={words.explanations[chosen]}
                defaultValue={organization.mailContent}
                onChange={({ target }) => choose(schema.shape.mailContent.parse(target.value))}
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
