import type { ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { useHasRole } from '../../session/account.ts';
import { useOrganizationMutation } from '../../session/queries.ts';
import { texts } from '../../texts/bin-dialogs.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { errorText } from '../../ui/error-texts.ts';
import { notify } from '../../ui/notices.tsx';

interface PurgeDialogProps {
  readonly item: { readonly id: string; readonly name: string };
  readonly kind: 'asset' | 'collection';
  readonly onClose: () => void;
}

/** Asks before an item in the bin is deleted permanently. */
export default function PurgeDialog({ item, kind, onClose }: PurgeDialogProps): ReactNode {
  const { id, name } = item;
  const scope = useHasRole('ADMIN') ? 'organization' : 'personal';
  const purge = useOrganizationMutation({
    async change(_: null, options) {
      if (kind === 'asset') {
        await api.assets.purge({ params: { id } }, options);
        return true;
      }
      const query = { scope, collectionId: id } as const;
      return (await api.assets.emptyBin({ query }, options)).collectionCount > 0;
    },
    invalidates: [['assets'], ['collections'], ['timeline'], ['plans']],
    onDone(isGone) {
      notify(isGone ? texts.purged(name) : texts.keptOthers(name));
      onClose();
    },
    // The dialog shows the error.
    onFailed() {},
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={texts.purgeTitle(name)}
      action={texts.purgeAction}
      isBusy={purge.isPending}
      error={purge.error ? errorText(purge.error) : undefined}
      onConfirm={() => purge.mutate(null)}
    >
      <p>{kind === 'asset' ? texts.purgeHint : texts.purgeCollectionHint}</p>
    </ConfirmDialog>
  );
}
