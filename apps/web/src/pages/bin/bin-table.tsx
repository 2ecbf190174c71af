import { Trash2, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { NothingFits } from '../../library/nothing-fits.tsx';
import type { ItemPages } from '../../session/queries.ts';
import { texts } from '../../texts/bin.ts';
import { Button } from '../../ui/button.tsx';
import { More } from '../../library/more.tsx';
import { Failed } from '../../ui/load.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Cell, HeaderCell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** Something in the bin. */
interface Binned {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly picture: ReactNode;
  readonly deletedAt: string;
  readonly purgeAt: string;
  readonly mayRestore: boolean;
}

export type BinList = ItemPages<Binned>;

interface BinTableProps {
  readonly caption: string;
  readonly list: BinList;
  /** What to say when there is nothing. */
  readonly empty: string;
  /** A search leaves out the rest. */
  readonly isNarrowed: boolean;
  readonly onShowAll: () => void;
  readonly onRestore: (item: Binned) => void;
  /** The one that is on its way back. */
  readonly busyId: string | undefined;
}

const { columns } = texts;

/** What is in the bin, when it will be gone, and the way back. */
export function BinTable({
  caption,
  list,
  empty,
  isNarrowed,
  onShowAll,
  onRestore,
  busyId,
}: BinTableProps): ReactNode {
  if (list.isPending) return <SkeletonRows />;
  if (list.items.length === 0) {
    if (list.error) return <Failed error={list.error} onRetry={list.refetch} />;
    if (isNarrowed) return <NothingFits onShowAll={onShowAll} />;
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
            <BinRow key={item.id} item={item} onRestore={onRestore} isBusy={item.id === busyId} />
          ))}
        </tbody>
      </Table>
      <More list={list} />
    </>
  );
}

interface BinRowProps extends Pick<BinTableProps, 'onRestore'> {
  readonly item: Binned;
  readonly isBusy: boolean;
}

function BinRow({ item, onRestore, isBusy }: BinRowProps): ReactNode {
  return (
    <Row>
      <Cell className="w-full max-w-0">
        <div className="flex items-center gap-3">
          {item.picture}
          <div className="min-w-0">
            <p className="truncate font-medium" title={item.name}>
              {item.name}
            </p>
            <p className="truncate text-sm text-ink-muted">
              {item.about}
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
          <Button
            size="sm"
            icon={Undo2}
            isBusy={isBusy}
            aria-label={texts.restoreLabel(item.name)}
            onClick={() => onRestore(item)}
          >
            {texts.restore}
          </Button>
        ) : null}
      </Cell>
    </Row>
  );
}
