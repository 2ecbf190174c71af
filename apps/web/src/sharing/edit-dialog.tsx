import type { Share } from '@atelier/client';
import type { ReactNode } from 'react';
import { api } from '../session/api.ts';
import { useOrganizationMutation } from '../session/queries.ts';
import { texts } from '../texts/sharing.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Load } from '../ui/load.tsx';
import { notify } from '../ui/notices.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { changedConditions, type Fields } from './conditions.ts';
import { ShareForm } from './share-form.tsx';
import { shareTopics } from './topics.ts';
import { useSharePolicy } from './use-policy.ts';

interface EditDialogProps {
  readonly share: Share;
  readonly onClose: () => void;
}

/** Changes the conditions of a share. */
export default function EditDialog({ share, onClose }: EditDialogProps): ReactNode {
  const policy = useSharePolicy();
  const update = useOrganizationMutation({
    change: (body: ReturnType<typeof changedConditions>, options) =>
      api.shares.update({ params: { id: share.id }, body }, options),
    invalidates: shareTopics,
    onDone: () => notify(texts.saved),
    // The form shows the error.
    onFailed() {},
  });

  async function save(entered: Fields): Promise<void> {
    const body = changedConditions(entered, share);
    if (Object.keys(body).length > 0) await update.mutateAsync(body);
    onClose();
  }

  return (
    <Dialog isOpen onClose={onClose} title={texts.editTitle}>
      <Load query={policy} skeleton={<SkeletonRows />}>
        {(loaded) => <ShareForm policy={loaded} share={share} onSubmit={save} onCancel={onClose} />}
      </Load>
    </Dialog>
  );
}
