import type { Data } from '@atelier/client';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, History, Pause, Pencil, Play, RefreshCw, Send, Trash2 } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../../loading/lazy.tsx';
import { SecretDialog } from '../../credentials/secret-dialog.tsx';
import { api } from '../../session/api.ts';
import { orGone } from '../../session/gone.ts';
import { useOrganizationMutation, type TopicKey } from '../../session/queries.ts';
import { texts } from '../../texts/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { notify } from '../../ui/notices.tsx';
import type { WebhookProps } from './props.ts';

const EditDialog = lazyDialog(() => import('./edit-dialog.tsx'));
const RotateDialog = lazyDialog(() => import('./rotate-dialog.tsx'));
const ReplayDialog = lazyDialog(() => import('./replay-dialog.tsx'));

const invalidates: readonly TopicKey[] = [['webhooks'], ['timeline']];

/** The actions on a webhook and their dialogs. */
export function WebhookActions({ organizationId, webhook }: WebhookProps): ReactNode {
  const params = { id: organizationId, webhookId: webhook.id };
  const [open, setOpen] = useState<'edit' | 'rotate' | 'replay' | 'delete'>();
  const [rotated, setRotated] = useState<Data<'webhooks.rotateSecret'>>();
  const navigate = useNavigate();
  const close = () => setOpen(undefined);
  const isOff = webhook.status === 'PAUSED' || webhook.status === 'DISABLED';
  const switchOn = useOrganizationMutation({
    change: (isEnabled: boolean, options) =>
      api.webhooks.update({ params, body: { isEnabled } }, options),
    invalidates,
    onDone: (_, isEnabled) => notify(isEnabled ? texts.enabled : texts.paused),
  });
  const test = useOrganizationMutation({
    change: (_: void, options) => api.webhooks.ping({ params }, options),
    invalidates,
    onDone: () => notify(texts.tested),
  });
  const remove = useOrganizationMutation({
    change: (_: void, options) => orGone(api.webhooks.remove({ params }, options), null),
    invalidates: [['timeline']],
    onDone() {
      notify(texts.deleting.done);
      void navigate({ to: '/settings/webhooks' });
    },
  });
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label={texts.actions} />}>
        <MenuItem icon={Pencil} onSelect={() => setOpen('edit')}>
          {texts.edit}
        </MenuItem>
        <MenuItem icon={isOff ? Play : Pause} onSelect={() => switchOn.mutate(isOff)}>
          {isOff ? texts.enable : texts.pause}
        </MenuItem>
        <MenuItem icon={History} onSelect={() => setOpen('replay')}>
          {texts.replay}
        </MenuItem>
        <MenuItem icon={RefreshCw} onSelect={() => setOpen('rotate')}>
          {texts.rotate}
        </MenuItem>
        <MenuItem icon={Trash2} tone="danger" onSelect={() => setOpen('delete')}>
          {texts.delete}
        </MenuItem>
      </Menu>
      <Button icon={Send} isBusy={test.isPending} onClick={() => test.mutate()}>
        {texts.test}
      </Button>
      <Suspense>
        {open === 'edit' ? (
          <EditDialog organizationId={organizationId} webhook={webhook} onClose={close} />
        ) : null}
        {open === 'replay' ? (
          <ReplayDialog organizationId={organizationId} webhook={webhook} onClose={close} />
        ) : null}
        {open === 'rotate' ? (
          <RotateDialog
            organizationId={organizationId}
            webhook={webhook}
            onClose={close}
            onRotated={(secret) => {
              close();
              setRotated(secret);
            }}
          />
        ) : null}
      </Suspense>
      {rotated ? (
        <SecretDialog
          title={texts.created.title}
          label={texts.created.secret}
          secret={rotated.secret}
          onClose={() => setRotated(undefined)}
        />
      ) : null}
      <ConfirmDialog
        isOpen={open === 'delete'}
        onClose={close}
        title={texts.deleting.title}
        action={texts.deleting.action}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>{texts.deleting.text}</p>
      </ConfirmDialog>
    </>
  );
}
