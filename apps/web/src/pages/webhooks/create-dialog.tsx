import type { Data } from '@atelier/client';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useIdempotentSend } from '../../credentials/idempotency.ts';
import { api } from '../../session/api.ts';
import { topicKey } from '../../session/queries.ts';
import { texts } from '../../texts/webhooks.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { WebhookForm, type WebhookValues } from './webhook-form.tsx';

interface CreateDialogProps {
  readonly organizationId: string;
  readonly onClose: () => void;
  readonly onCreated: (created: Data<'webhooks.create'>) => void;
}

/** Adds a webhook to an organization. */
export default function CreateDialog(props: CreateDialogProps): ReactNode {
  const { organizationId, onClose, onCreated } = props;
  const client = useQueryClient();
  const send = useIdempotentSend();

  async function submit(body: WebhookValues): Promise<void> {
    const params = { id: organizationId };
    const created = await send(body, (idempotencyKey) =>
      api.webhooks.create({ params, body }, { idempotencyKey }),
    );
    void client.invalidateQueries({ queryKey: topicKey(['webhooks']) });
    onCreated(created);
  }

  return (
    <Dialog isOpen onClose={onClose} title={texts.form.create} size="md">
      <WebhookForm action={texts.form.submit} onSubmit={submit} onCancel={onClose} />
    </Dialog>
  );
}
