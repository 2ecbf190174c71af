import { Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
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
import { newConditions } from './conditions.ts';
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
  const { type: targetType, id: targetId } = target;
  const create = useOrganizationMutation({
    change: (conditions: ReturnType<typeof newConditions>, options) =>
      api.shares.create({ body: { targetType, targetId, ...conditions } }, options),
    invalidates: shareTopics,
    onDone() {
      setCreating(false);
      notify(texts.created);
    },
    // The form shows the error.
    onFailed() {},
  });
  return (
    <Dialog isOpen onClose={onClose} title={texts.title(title)} description={texts.hint}>
      <Load query={policy} skeleton={<SkeletonRows count={2} />}>
        {(loaded) =>
          isCreating ? (
            <ShareForm
              policy={loaded}
              onSubmit={(entered) => create.mutateAsync(newConditions(entered))}
              onCancel={() => setCreating(false)}
            />
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
