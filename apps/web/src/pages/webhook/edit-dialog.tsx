import type { ReactNode } from 'react';
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

/** Changes where a webhook sends what. */
export default function EditDialog(props: EditDialogProps): ReactNode {
  const { organizationId, webhook, onClose } = props;
  const params = { id: organizationId, webhookId: webhook.id };
  const save = useOrganizationMutation({
    change: (body: WebhookValues, options) => api.webhooks.update({ params, body }, options),
    invalidates: [['webhooks'], ['timeline']],
    onDone() {
      onClose();
      notify(texts.form.saved);
    },
    // The form shows the error.
    onFailed() {},
  });
  return (
    <Dialog isOpen onClose={onClose} title={texts.form.edit} size="md">
      <WebhookForm
        webhook={webhook}
        action={shared.save}
        onSubmit={(values) => save.mutateAsync(values)}
        onCancel={onClose}
      />
    </Dialog>
  );
}
