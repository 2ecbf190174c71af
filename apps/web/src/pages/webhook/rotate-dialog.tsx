import type { Data } from '@atelier/client';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { OverlapDialog } from '../../credentials/overlap-dialog.tsx';
import { api } from '../../session/api.ts';
import { topicKey } from '../../session/queries.ts';
import { texts } from '../../texts/webhooks.ts';
import type { WebhookProps } from './props.ts';

interface RotateDialogProps extends WebhookProps {
  readonly onClose: () => void;
  readonly onRotated: (rotated: Data<'webhooks.rotateSecret'>) => void;
}

/** Replaces the secret of a webhook. */
export default function RotateDialog(props: RotateDialogProps): ReactNode {
  const { organizationId, webhook, onClose, onRotated } = props;
  const params = { id: organizationId, webhookId: webhook.id };
  const client = useQueryClient();
  return (
    <OverlapDialog
      title={texts.rotating.title}
      texts={texts.rotating}
      replace={(body, options) => api.webhooks.rotateSecret({ params, body }, options)}
      onReplaced={(rotated) => {
        void client.invalidateQueries({ queryKey: topicKey(['webhooks']) });
        onRotated(rotated);
      }}
      onClose={onClose}
    />
  );
}
