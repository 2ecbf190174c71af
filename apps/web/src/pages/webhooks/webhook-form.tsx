import type { Webhook } from '@atelier/client';
import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { Choice, Option } from '../../credentials/choice.tsx';
import { Form } from '../../forms/form.tsx';
import { DialogButtons } from '../../library/dialog-buttons.tsx';
import { texts } from '../../texts/webhooks.ts';
import { Input } from '../../ui/field.tsx';
import { keysOf } from '../../ui/options.ts';
import { EventPicker } from './event-picker.tsx';

const words = texts.form;
const orderings = keysOf(words.orderings);
const schema = z.object({
  url: z.string().check(z.trim(), z.minLength(1, words.missingUrl)),
  description: z.string().check(z.trim(), z.maxLength(200, words.tooLong)),
});

/** What the form sends. */
export type WebhookValues = Pick<Webhook, 'url' | 'description' | 'ordering'> & {
  events: Webhook['events'];
};

interface WebhookFormProps {
  /** The webhook to change; without it, the form is empty. */
  readonly webhook?: Webhook | undefined;
  readonly action: string;
  readonly onSubmit: (values: WebhookValues) => Promise<unknown>;
  readonly onCancel: () => void;
}

/** The form for a new or changed webhook. */
export function WebhookForm({ webhook, action, onSubmit, onCancel }: WebhookFormProps): ReactNode {
  const before = webhook?.events ?? ['*'];
  const [isAll, setAll] = useState(before.includes('*'));
  const [chosen, setChosen] = useState<Webhook['events']>(before.filter((event) => event !== '*'));
  const [ordering, setOrdering] = useState<Webhook['ordering']>(webhook?.ordering ?? 'PARALLEL');
  const [isChecked, setChecked] = useState(false);
  const lacksEvents = !isAll && chosen.length === 0;

  async function submit({ url, description }: z.output<typeof schema>): Promise<void> {
    setChecked(true);
    if (lacksEvents) return;
    await onSubmit({
      url,
      description: description === '' ? null : description,
      events: isAll ? ['*'] : chosen,
      ordering,
    });
  }

  return (
    <Form schema={schema} onSubmit={submit} className="flex flex-col gap-5">
      {({ isBusy }) => (
        <>
          <Input
            name="url"
            type="url"
            label={words.url}
            hint={words.urlHint}
            placeholder="https://example.com/hooks/atelier"
            defaultValue={webhook?.url}
            autoComplete="off"
            data-autofocus
          />
          <Input
            name="description"
            label={words.description}
            hint={words.descriptionHint}
            defaultValue={webhook?.description ?? ''}
            autoComplete="off"
          />
          <Choice
            legend={words.events}
            error={isChecked && lacksEvents ? words.noEvent : undefined}
          >
            <Option
              type="radio"
              name="scope"
              value="all"
              {...words.all}
              isChosen={isAll}
              onChange={() => setAll(true)}
            />
            <Option
              type="radio"
              name="scope"
              value="some"
              {...words.some}
              isChosen={!isAll}
              onChange={() => setAll(false)}
            />
            {isAll ? null : <EventPicker chosen={chosen} onChange={setChosen} />}
          </Choice>
          <Choice legend={words.ordering}>
            {orderings.map((one) => (
              <Option
                key={one}
                type="radio"
                name="ordering"
                value={one}
                {...words.orderings[one]}
                isChosen={ordering === one}
                onChange={() => setOrdering(one)}
              />
            ))}
          </Choice>
          <DialogButtons action={action} isBusy={isBusy} onCancel={onCancel} />
        </>
      )}
    </Form>
  );
}
