import { useState, type ReactNode } from 'react';
import { changedFields, isSameIn } from '../../forms/changed-fields.ts';
import { saveUnlessChanged } from '../../forms/save-unless-changed.ts';
import { api } from '../../session/api.ts';
import { useOrganizationMutation } from '../../session/queries.ts';
import { texts } from '../../texts/webhooks.ts';
import { texts as shared } from '../../texts/shared.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { notify } from '../../ui/notices.tsx';
import { WebhookForm, type WebhookValues } from '../webhooks/webhook-form.tsx';
import type { WebhookProps } from './props.ts';

interface EditDialogProps extends WebhookProps {
  readonly onClose: () => void;
}

/** Changes where a webhook sends what, unless someone else has changed the same in between. */
export default function EditDialog(props: EditDialogProps): ReactNode {
  const { organizationId, webhook, onClose } = props;
  // Others may change the webhook while the form is open.
  const [before] = useState(webhook);
  const params = { id: organizationId, webhookId: webhook.id };
  const update = useOrganizationMutation({
    change(body: Partial<WebhookValues>, options) {
      const names = Object.keys(body) as (keyof WebhookValues)[];
      return saveUnlessChanged({
        read: () => api.webhooks.get({ params }, options).withMeta(),
        isSame: (now) => isSameIn(names, before, now),
        isSaved: (now) => isSameIn(names, body, now),
        write: (ifUnchanged) =>
          api.webhooks.update({ params, body }, { ...options, ...ifUnchanged }),
      });
    },
    invalidates: [['webhooks'], ['timeline']],
    onDone(isSaved) {
      if (isSaved) notify(texts.form.saved);
      else notify(texts.form.changedByOther, { tone: 'info' });
    },
    // The form shows the error.
    onFailed() {},
  });

  async function save(values: WebhookValues): Promise<void> {
    const body = changedFields(values, before);
    if (Object.keys(body).length > 0) await update.mutateAsync(body);
    onClose();
  }

  return (
    <Dialog isOpen onClose={onClose} title={texts.form.edit} size="md">
      <WebhookForm webhook={before} action={shared.save} onSubmit={save} onCancel={onClose} />
    </Dialog>
  );
}
