import type { SharePolicy } from '@atelier/client';
import { Plus } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { useIdempotentSend } from '../credentials/idempotency.ts';
import { ItemList } from '../library/item-list.tsx';
import { api } from '../session/api.ts';
import {
  useItemPages,
  useOrganizationMutation,
  useOrganizationQueries,
} from '../session/queries.ts';
import { texts } from '../texts/sharing.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Load } from '../ui/load.tsx';
import { notify } from '../ui/notices.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { newConditions, type Fields } from './conditions.ts';
import { ShareForm } from './share-form.tsx';
import { ShareRow } from './share-row.tsx';
import { shareTopics } from './topics.ts';
import { useSharePolicy } from './use-policy.ts';

interface ShareDialogProps {
  readonly target: { readonly type: 'ASSET' | 'COLLECTION'; readonly id: string };
  /** Of the target. */
  readonly title: string;
  readonly onClose: () => void;
}

/** Creates links that show an asset or a collection to people without an account, and lists them. */
export default function ShareDialog({ target, title, onClose }: ShareDialogProps): ReactNode {
  const [isCreating, setCreating] = useState(false);
  const policy = useSharePolicy();
  return (
    <Dialog isOpen onClose={onClose} title={texts.title(title)} description={texts.hint}>
      <Load query={policy} skeleton={<SkeletonRows count={2} />}>
        {(loaded) =>
          isCreating ? (
            <NewShare target={target} policy={loaded} onEnd={() => setCreating(false)} />
          ) : (
            <div className="flex flex-col gap-3">
              {loaded.allowed ? (
                <div>
                  <Button
                    tone="primary"
                    icon={Plus}
                    // The dialog may be loading when it opens, and the form returns to it.
                    autoFocus
                    onClick={() => setCreating(true)}
                  >
                    {texts.create}
                  </Button>
                </div>
              ) : (
                <p className="text-ink-muted">{texts.notAllowed}</p>
              )}
              <Shares target={target} />
            </div>
          )
        }
      </Load>
    </Dialog>
  );
}

interface NewShareProps extends Pick<ShareDialogProps, 'target'> {
  readonly policy: SharePolicy;
  /** Called when the link is created, or not wanted. */
  readonly onEnd: () => void;
}

/** Creates one link: what is entered again after a lost response is the same link. */
function NewShare({ target, policy, onEnd }: NewShareProps): ReactNode {
  const { type: targetType, id: targetId } = target;
  const send = useIdempotentSend();
  // By key: the API refuses a key with another body, and the expiry depends on the time.
  const sent = useRef(new Map<string, ReturnType<typeof newConditions>>());
  const create = useOrganizationMutation({
    change(entered: Fields, options) {
      return send(entered, (idempotencyKey) => {
        const conditions = sent.current.get(idempotencyKey) ?? newConditions(entered);
        sent.current.set(idempotencyKey, conditions);
        const body = { targetType, targetId, ...conditions };
        return api.shares.create({ body }, { ...options, idempotencyKey });
      });
    },
    invalidates: shareTopics,
    onDone() {
      onEnd();
      notify(texts.created);
    },
    // The form shows the error.
    onFailed() {},
  });
  return (
    <ShareForm
      policy={policy}
      onSubmit={(entered) => create.mutateAsync(entered)}
      onCancel={onEnd}
    />
  );
}

function Shares({ target }: Pick<ShareDialogProps, 'target'>): ReactNode {
  const queries = useOrganizationQueries();
  const shares = useItemPages(
    queries.shares.list.infiniteQueryOptions({
      query: { targetType: target.type, targetId: target.id, limit: 50 },
    }),
  );
  return (
    <ItemList
      pages={shares}
      label={texts.list}
      empty={<p className="py-4 text-ink-muted">{texts.none}</p>}
      frame={(list) => <div className="py-3">{list}</div>}
    >
      {(share) => <ShareRow share={share} fallbackName={texts.unnamed} />}
    </ItemList>
  );
}
