import type { KeyPolicy } from '@atelier/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { isSameIn } from '../../forms/changed-fields.ts';
import { Form } from '../../forms/form.tsx';
import { saveUnlessChanged } from '../../forms/save-unless-changed.ts';
import { api } from '../../session/api.ts';
import { topicKey, useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/member-keys.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Load } from '../../ui/load.tsx';
import { notify } from '../../ui/notices.tsx';
import { keysOf } from '../../ui/options.ts';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const words = texts.policy;
const choices = keysOf(words.choices);
const offeredDays = [1, 7, 30, 90, 180, 365];
const noLimit = 'none';
const schema = z.object({
  personalKeys: z.enum(choices),
  maxLifetimeDays: z.pipe(
    z.string(),
    z.transform((days) => (days === noLimit ? null : Number(days))),
  ),
});

interface PolicyProps {
  readonly organizationId: string;
}

/** Shows and changes which API keys a team accepts. */
export function Policy({ organizationId }: PolicyProps): ReactNode {
  const queries = useOrganizationQueries();
  const query = useQuery(queries.apiKeys.policy.queryOptions({ params: { id: organizationId } }));
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

interface PolicyFormProps extends PolicyProps {
  readonly policy: KeyPolicy;
}

function PolicyForm({ organizationId, policy }: PolicyFormProps): ReactNode {
  const client = useQueryClient();
  const [personalKeys, choose] = useState(policy.personalKeys);
  const { maxLifetimeDays } = policy;
  const days =
    maxLifetimeDays === null || offeredDays.includes(maxLifetimeDays)
      ? offeredDays
      : [...offeredDays, maxLifetimeDays].toSorted((a, b) => a - b);

  async function save(body: Rules): Promise<void> {
    const params = { id: organizationId };
    const isSaved = await saveUnlessChanged({
      read: () => api.apiKeys.policy({ params }).withMeta(),
      isSame: (current) => isSame(current, policy),
      isSaved: (current) => isSame(current, body),
      write: (options) => api.apiKeys.updatePolicy({ params, body }, options),
    });
    if (isSaved) notify(words.saved);
    else notify(words.changedByOther, { tone: 'info' });
    await client.invalidateQueries({ queryKey: topicKey(['apiKeys']) });
  }

  return (
    <Form schema={schema} onSubmit={save} className="flex flex-col gap-4">
      {({ isBusy }) => (
        <>
          <Select
            name="personalKeys"
            label={words.personalKeys}
            hint={words.explanations[personalKeys]}
            defaultValue={policy.personalKeys}
            onChange={({ target }) => choose(schema.shape.personalKeys.parse(target.value))}
          >
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {words.choices[choice]}
              </option>
            ))}
          </Select>
          <Select
            name="maxLifetimeDays"
            label={words.maxLifetime}
            hint={words.maxLifetimeHint}
            defaultValue={maxLifetimeDays ?? noLimit}
          >
            <option value={noLimit}>{words.noLimit}</option>
            {days.map((count) => (
              <option key={count} value={count}>
                {words.days(count)}
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
  return isSameIn(['personalKeys', 'maxLifetimeDays'], one, other);
}
