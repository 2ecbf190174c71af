import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../../loading/lazy.tsx';
import { api } from '../../session/api.ts';
import { orGone } from '../../session/gone.ts';
import { useOrganizationMutation } from '../../session/queries.ts';
import { texts } from '../../texts/service-accounts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { notify } from '../../ui/notices.tsx';
import type { AccountProps } from './props.ts';

const EditDialog = lazyDialog(() => import('./edit-dialog.tsx'));

/** The actions on a service account and their dialogs. */
export function AccountActions({ organizationId, account }: AccountProps): ReactNode {
  const { id: accountId, name } = account;
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const navigate = useNavigate();
  const close = () => setOpen(undefined);
  const remove = useOrganizationMutation({
    change: (_: void, options) =>
      orGone(
        api.serviceAccounts.remove({ params: { id: organizationId, accountId } }, options),
        null,
      ),
    // Not its keys, which are gone.
    invalidates: [['serviceAccounts', 'list'], ['organizations'], ['timeline']],
    onDone() {
      notify(texts.deleting.done(name));
      void navigate({ to: '/settings/service-accounts' });
    },
  });
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label={texts.actionsFor(name)} />}>
        <MenuItem icon={Pencil} onSelect={() => setOpen('edit')}>
          {texts.edit}
        </MenuItem>
        <MenuItem icon={Trash2} tone="danger" onSelect={() => setOpen('delete')}>
          {texts.delete}
        </MenuItem>
      </Menu>
      <Suspense>
        {open === 'edit' ? (
          <EditDialog organizationId={organizationId} account={account} onClose={close} />
        ) : null}
      </Suspense>
      <ConfirmDialog
        isOpen={open === 'delete'}
        onClose={close}
        title={texts.deleting.title(name)}
        action={texts.deleting.action}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>{texts.deleting.text}</p>
      </ConfirmDialog>
    </>
  );
}
