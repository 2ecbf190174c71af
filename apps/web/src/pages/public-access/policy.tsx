import type { SharePolicy } from '@atelier/client';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { isSameIn } from '../../forms/changed-fields.ts';
import { Form } from '../../forms/form.tsx';
import { saveUnlessChanged } from '../../forms/save-unless-changed.ts';
import { api } from '../../session/api.ts';
import { topicKey } from '../../session/queries.ts';
import { Checkbox } from '../../sharing/checkbox.tsx';
import { useSharePolicy } from '../../sharing/use-policy.ts';
import { texts } from '../../texts/public-access.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Load } from '../../ui/load.tsx';
import { notify } from '../../ui/notices.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const words = texts.policy;
const offeredDays = [1, 7, 30, 90, 180, 365];
const noLimit = 'none';
/** Only a checked box has a value. */
const checkbox = z.pipe(
  z.optional(z.string()),
  z.transform((value) => value !== undefined),
);
const schema = z.object({
  allowed: checkbox,
  requirePassword: checkbox,
  allowDownload: checkbox,
  maxDays: z.pipe(
    z.string(),
    z.transform((days) => (days === noLimit ? null : Number(days))),
  ),
});

interface PolicyProps {
  readonly organizationId: string;
}

/** Shows and changes what an organization demands of its share links. */
export function Policy({ organizationId }: PolicyProps): ReactNode {
  const query = useSharePolicy();
  return (
    <Section title={words.title} hint={words.hint}>
      <Load query={query} skeleton={<Skeleton className="h-32" />}>
        {(policy) => (
          // The key resets the form when the rules change elsewhere.
          <PolicyForm key={JSON.stringify(policy)} {...{ organizationId, policy }} />
        )}
      </Load>
    </Section>
  );
}

function PolicyForm({
  organizationId,
  policy,
}: PolicyProps & { readonly policy: SharePolicy }): ReactNode {
  const client = useQueryClient();
  const { maxDays } = policy;
  const days =
    maxDays === null || offeredDays.includes(maxDays)
      ? offeredDays
      : [...offeredDays, maxDays].toSorted((a, b) => a - b);

  async function save(body: Rules): Promise<void> {
    const params = { id: organizationId };
    const isSaved = await saveUnlessChanged({
      read: () => api.shares.policy({ params }).withMeta(),
      isSame: (current) => isSame(current, policy),
      isSaved: (current) => isSame(current, body),
      write: (options) => api.shares.updatePolicy({ params, body }, options),
    });
    if (isSaved) notify(words.saved);
    else notify(words.changedByOther, { tone: 'info' });
    await client.invalidateQueries({ queryKey: topicKey(['shares']) });
  }

  return (
    <Form schema={schema} onSubmit={save}>
      {({ isBusy }) => (
        <>
          <Checkbox name="allowed" label={words.allowed} defaultChecked={policy.allowed} />
          <Checkbox
            name="requirePassword"
            label={words.requirePassword}
            defaultChecked={policy.requirePassword}
          />
          <Checkbox
            name="allowDownload"
            label={words.allowDownload}
            defaultChecked={policy.allowDownload}
          />
          <Select name="maxDays" label={words.maxDays} defaultValue={maxDays ?? noLimit}>
            <option value={noLimit}>{words.noLimit}</option>
            {days.map((count) => (
              <option key={count} value={count}>
                {words.after(count)}
              </option>
            ))}
          </Select>
          <div>
            <Button type="submit" tone="primary" isBusy={isBusy}>
              {words.submit}
            </Button>
          </div>
        </>
      )}
    </Form>
  );
}

type Rules = z.output<typeof schema>;

function isSame(one: Rules, other: Rules): boolean {
  return isSameIn(['allowed', 'requirePassword', 'allowDownload', 'maxDays'], one, other);
}
