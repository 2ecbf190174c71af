import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { Option } from '../../credentials/choice.tsx';
import { useIdempotentSend } from '../../credentials/idempotency.ts';
import { Form } from '../../forms/form.tsx';
import { DialogButtons } from '../../library/dialog-buttons.tsx';
import { api } from '../../session/api.ts';
import { topicKey } from '../../session/queries.ts';
import { texts } from '../../texts/webhooks.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { notify } from '../../ui/notices.tsx';
import type { WebhookProps } from './props.ts';

const words = texts.replaying;
const schema = z.object({
  from: z.string().check(z.minLength(1, words.missing)),
  to: z.string(),
});

interface ReplayDialogProps extends WebhookProps {
  readonly onClose: () => void;
}

/** Sends what happened in a period again. */
export default function ReplayDialog(props: ReplayDialogProps): ReactNode {
  const { organizationId, webhook, onClose } = props;
  const [onlyFailed, setOnlyFailed] = useState(false);
  const end = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();
  const client = useQueryClient();
  const send = useIdempotentSend();

  async function submit({ from, to }: z.output<typeof schema>): Promise<void> {
    // One that was only begun has no value, as an empty one.
    const isIncomplete = end.current?.validity.badInput === true;
    setError(isIncomplete ? words.incomplete : undefined);
    if (isIncomplete) return;
    const params = { id: organizationId, webhookId: webhook.id };
    const body = { from: timestampOf(from), ...(to && { to: timestampOf(to) }), onlyFailed };
    const { queuedCount } = await send(body, (idempotencyKey) =>
      api.webhooks.replay({ params, body }, { idempotencyKey }),
    );
    void client.invalidateQueries({ queryKey: topicKey(['webhooks']) });
    notify(words.done(queuedCount));
    onClose();
  }

  return (
    <Dialog isOpen onClose={onClose} title={words.title} description={words.hint} size="sm">
      <Form schema={schema} onSubmit={submit}>
        {({ isBusy }) => (
          <>
            <Input name="from" type="datetime-local" label={words.from} data-autofocus />
            <Input
              ref={end}
              name="to"
              type="datetime-local"
              label={words.to}
              hint={words.toHint}
              error={error}
            />
            <Option
              type="checkbox"
              name="onlyFailed"
              value="yes"
              label={words.onlyFailed.label}
              isChosen={onlyFailed}
              onChange={setOnlyFailed}
            />
            <DialogButtons action={words.submit} isBusy={isBusy} onCancel={onClose} />
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** Converts the value of the field, which is in the user's time zone. */
function timestampOf(local: string): string {
  return new Date(local).toISOString();
}
