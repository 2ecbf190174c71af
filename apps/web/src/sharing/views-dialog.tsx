import type { Share, ShareView } from '@atelier/client';
import type { ReactNode } from 'react';
import { ItemList } from '../library/item-list.tsx';
import { useItemPages, useOrganizationQueries } from '../session/queries.ts';
import { texts } from '../texts/sharing.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Time } from '../ui/time.tsx';

const words = texts.visits;

interface ViewsDialogProps {
  readonly share: Share;
  readonly name: string;
  readonly onClose: () => void;
}

/** Lists what visitors of a share did. */
export default function ViewsDialog({ share, name, onClose }: ViewsDialogProps): ReactNode {
  const queries = useOrganizationQueries();
  const views = useItemPages({
    ...queries.shares.views.infiniteQueryOptions({
      params: { id: share.id },
      query: { limit: 50 },
    }),
    // No event tells of visits.
    staleTime: 0,
  });
  return (
    <Dialog isOpen onClose={onClose} title={words.title(name)} description={words.hint}>
      <ItemList
        pages={views}
        label={words.label}
        empty={<p className="py-6 text-center text-ink-muted">{words.none}</p>}
        frame={(list) => <div className="py-3">{list}</div>}
      >
        {(view) => <View view={view} />}
      </ItemList>
    </Dialog>
  );
}

function View({ view }: { readonly view: ShareView }): ReactNode {
  const { at, action, asset, visitorName, network, device } = view;
  return (
    <li className="py-2.5">
      <p className="wrap-anywhere">
        <span className="font-medium">{visitorName ?? words.someone}</span> {words.actions[action]}
        {asset ? ` ${asset.name ?? words.deletedAsset}` : ''}
      </p>
      <p className="text-sm text-ink-muted">
        <Time at={at} /> · {[device, network].filter(Boolean).join(' · ')}
      </p>
    </li>
  );
}
