import type { ApiKey, CallOptions, NewApiKey } from '@atelier/client';
import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis, RefreshCw, Trash2 } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../loading/lazy.tsx';
import { topicKey, useOrganizationMutation, type TopicKey } from '../session/queries.ts';
import { texts } from '../texts/api-keys.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { notify } from '../ui/notices.tsx';

const ReplaceDialog = lazyDialog(() => import('./replace-dialog.tsx'));

interface KeyMenuProps {
  readonly apiKey: Pick<ApiKey, 'name'>;
  /** What to refetch after a change. */
  readonly invalidates: readonly TopicKey[];
  readonly replace: (
    body: { readonly overlapHours: number },
    options: { readonly idempotencyKey: string },
  ) => Promise<NewApiKey>;
  readonly revoke: (options: CallOptions) => Promise<unknown>;
  readonly onReplaced: (created: NewApiKey) => void;
  /** More items, first in the menu. */
  readonly children?: ReactNode;
}

/** The actions on a key that works, and their dialogs. */
export function KeyMenu(props: KeyMenuProps): ReactNode {
  const { apiKey, invalidates, replace, revoke, onReplaced, children } = props;
  const { name } = apiKey;
  const [open, setOpen] = useState<'replace' | 'revoke'>();
  const client = useQueryClient();
  const close = () => setOpen(undefined);
  const revocation = useOrganizationMutation({
    change: (_: void, options) => revoke(options),
    invalidates,
    onDone() {
      close();
      notify(texts.revoking.done(name));
    },
  });
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label={texts.actionsFor(name)} />}>
        {children}
        <MenuItem icon={RefreshCw} onSelect={() => setOpen('replace')}>
          {texts.replace}
        </MenuItem>
        <MenuItem icon={Trash2} tone="danger" onSelect={() => setOpen('revoke')}>
          {texts.revoke}
        </MenuItem>
      </Menu>
      <Suspense>
        {open === 'replace' ? (
          <ReplaceDialog
            name={name}
            replace={replace}
            onReplaced={(created) => {
              for (const topic of invalidates) {
                void client.invalidateQueries({ queryKey: topicKey(topic) });
              }
              close();
              onReplaced(created);
            }}
            onClose={close}
          />
        ) : null}
      </Suspense>
      <ConfirmDialog
        isOpen={open === 'revoke'}
        onClose={close}
        title={texts.revoking.title(name)}
        action={texts.revoking.action}
        isBusy={revocation.isPending}
        onConfirm={() => revocation.mutate()}
      >
        <p>{texts.revoking.text}</p>
      </ConfirmDialog>
    </>
  );
}
