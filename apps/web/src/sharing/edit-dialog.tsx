import type { Share } from '@atelier/client';
import { useState, type ReactNode } from 'react';
import { saveUnlessChanged } from '../forms/save-unless-changed.ts';
import { api } from '../session/api.ts';
import { useOrganizationMutation } from '../session/queries.ts';
import { texts } from '../texts/sharing.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Load } from '../ui/load.tsx';
import { notify } from '../ui/notices.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import {
  changedConditions,
  isAsBefore,
  isAsEntered,
  type Changes,
  type Fields,
} from './conditions.ts';
import { ShareForm } from './share-form.tsx';
import { shareTopics } from './topics.ts';
import { useSharePolicy } from './use-policy.ts';

interface EditDialogProps {
  readonly share: Share;
  readonly onClose: () => void;
}

/** Changes the conditions of a share, unless someone else has changed the same ones in between. */
export default function EditDialog({ share, onClose }: EditDialogProps): ReactNode {
  const policy = useSharePolicy();
  // Others may change the share while the form is open.
  const [before] = useState(share);
  const params = { id: share.id };
  const update = useOrganizationMutation({
    change: (body: Changes, options) =>
      saveUnlessChanged({
        read: () => api.shares.get({ params }, options).withMeta(),
        isSame: (now) => isAsBefore(body, before, now),
        isSaved: (now) => isAsEntered(body, now),
        write: (ifUnchanged) => api.shares.update({ params, body }, { ...options, ...ifUnchanged }),
      }),
    invalidates: shareTopics,
    onDone(isSaved) {
      if (isSaved) notify(texts.saved);
      else notify(texts.changedByOther, { tone: 'info' });
    },
    // The form shows the error.
    onFailed() {},
  });

  async function save(entered: Fields): Promise<void> {
    const body = changedConditions(entered, before);
    if (Object.keys(body).length > 0) await update.mutateAsync(body);
    onClose();
  }

  return (
    <Dialog isOpen onClose={onClose} title={texts.editTitle}>
      <Load query={policy} skeleton={<SkeletonRows />}>
        {(loaded) => (
          <ShareForm policy={loaded} share={before} onSubmit={save} onCancel={onClose} />
        )}
      </Load>
    </Dialog>
  );
}
