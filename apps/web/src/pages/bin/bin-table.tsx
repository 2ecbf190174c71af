import { Trash2, Undo2 } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { NoMatches } from '../../library/no-matches.tsx';
import { lazyDialog } from '../../loading/lazy.tsx';
import type { ItemPages } from '../../session/queries.ts';
import { texts } from '../../texts/bin.ts';
import { Button } from '../../ui/button.tsx';
import { More } from '../../library/more.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Failed } from '../../ui/load.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Cell, HeaderCell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

const PurgeDialog = lazyDialog(() => import('./purge-dialog.tsx'));

/** A deleted asset or collection. */
interface BinItem {
  readonly id: string;
  readonly name: string;
  readonly details: string;
  readonly picture: ReactNode;
  readonly deletedAt: string;
  readonly purgeAt: string;
  /** The user may restore it, and delete it permanently. */
  readonly mayRestore: boolean;
}

export type BinList = ItemPages<BinItem>;

interface BinTableProps {
  readonly caption: string;
  readonly list: BinList;
  /** Title of the empty state. */
  readonly empty: string;
  /** A search hides some items. */
  readonly isFiltered: boolean;
  readonly onShowAll: () => void;
  readonly kind: 'asset' | 'collection';
  readonly onRestore: (item: BinItem) => void;
  /** Id of the item that is being restored. */
  readonly busyId: string | undefined;
}

const { columns } = texts;

/** Lists deleted items with the date of their permanent deletion and a button to restore them. */
export function BinTable({
  caption,
  list,
  empty,
  isFiltered,
  onShowAll,
  kind,
  onRestore,
  busyId,
}: BinTableProps): ReactNode {
  const [purged, setPurged] = useState<BinItem | null>(null);
  if (list.isPending) return <SkeletonRows />;
  if (list.items.length === 0) {
    if (list.error) return <Failed error={list.error} onRetry={list.refetch} />;
    if (isFiltered) return <NoMatches onShowAll={onShowAll} />;
    return (
      <EmptyState icon={Trash2} title={empty}>
        {texts.emptyHint}
      </EmptyState>
    );
  }
  return (
    <>
      <Table caption={caption}>
        <thead>
          <tr>
            <HeaderCell>{columns.name}</HeaderCell>
            <HeaderCell className="hidden md:table-cell">{columns.deleted}</HeaderCell>
            <HeaderCell className="hidden sm:table-cell">{columns.purge}</HeaderCell>
            <HeaderCell>
              <span className="sr-only">{columns.actions}</span>
            </HeaderCell>
          </tr>
        </thead>
        <tbody>
          {list.items.map((item) => (
            <BinRow
              key={item.id}
              item={item}
              onRestore={onRestore}
              onPurge={setPurged}
              isBusy={item.id === busyId}
            />
          ))}
        </tbody>
      </Table>
      <More list={list} />
      {purged ? (
        <Suspense>
          <PurgeDialog item={purged} kind={kind} onClose={() => setPurged(null)} />
        </Suspense>
      ) : null}
    </>
  );
}

interface BinRowProps extends Pick<BinTableProps, 'onRestore'> {
  readonly item: BinItem;
  readonly onPurge: (item: BinItem) => void;
  readonly isBusy: boolean;
}

function BinRow({ item, onRestore, onPurge, isBusy }: BinRowProps): ReactNode {
  return (
    <Row>
      <Cell className="w-full max-w-0">
        <div className="flex items-center gap-3">
          {item.picture}
          <div className="min-w-0">
            <p dir="auto" className="truncate font-medium" title={item.name}>
              {item.name}
            </p>
            <p className="truncate text-sm text-ink-muted">
              {item.details}
              <span className="sm:hidden">
                {' '}
                · <Time at={item.purgeAt} />
              </span>
            </p>
          </div>
        </div>
      </Cell>
      <Cell className="hidden whitespace-nowrap text-ink-muted md:table-cell">
        <Time at={item.deletedAt} />
      </Cell>
      <Cell className="hidden whitespace-nowrap text-ink-muted sm:table-cell">
        <Time at={item.purgeAt} />
      </Cell>
      <Cell className="text-right">
        {item.mayRestore ? (
          <div className="flex items-center justify-end gap-1">
            <Button
              size="sm"
              icon={Undo2}
              isBusy={isBusy}
              aria-label={texts.restoreLabel(item.name)}
              onClick={() => onRestore(item)}
            >
              {texts.restore}
            </Button>
            <IconButton
              icon={Trash2}
              size="sm"
              label={texts.purgeLabel(item.name)}
              onClick={() => onPurge(item)}
            />
          </div>
        ) : null}
      </Cell>
    </Row>
  );
}
