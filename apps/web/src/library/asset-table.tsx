import type { Asset } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts/library.ts';
import { ByteSize } from '../ui/byte-size.tsx';
import { Cell, HeaderCell, Row, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import type { AssetActions } from './asset-actions.tsx';
import { kindOf } from './asset-kind.ts';
import type { AssetListSearch } from './asset-list-search.ts';
import { AssetMenu } from './asset-menu.tsx';
import { FavoriteButton } from './favorite-button.tsx';
import { SelectBox } from './select-box.tsx';
import type { Selection } from './selection.ts';
import { Thumbnail } from './thumbnail.tsx';

type SortField = 'assetName' | 'fileSize' | 'createdAt';

interface AssetTableProps {
  readonly caption: string;
  readonly assets: readonly Asset[];
  readonly actions: AssetActions;
  readonly selection: Selection;
  /** The order of the list, also one that no column has. */
  readonly sort: string;
  /** Filters and order of the list of a collection, which the page of an asset goes through. */
  readonly within?: AssetListSearch | undefined;
  readonly onSort: (sort: SortField | `-${SortField}`) => void;
}

const { columns } = texts;

/** Shows assets as rows that can be sorted by the column headers. */
export default function AssetTable({
  caption,
  assets,
  actions,
  selection,
  sort,
  onSort,
  within,
}: AssetTableProps): ReactNode {
  const sorting = { sort, onSort };
  const areAllSelected = assets.length > 0 && assets.every(({ id }) => selection.has(id));
  return (
    <Table caption={caption}>
      <thead>
        <tr>
          <HeaderCell className="w-10 pr-0">
            <input
              type="checkbox"
              aria-label={texts.selectAll}
              checked={areAllSelected}
              ref={(box) => {
                if (box) box.indeterminate = selection.count > 0 && !areAllSelected;
              }}
              onChange={() => (areAllSelected ? selection.clear() : selection.selectAll())}
              className="block size-4 cursor-pointer"
            />
          </HeaderCell>
          <SortHeader {...sorting} field="assetName" first="assetName" label={columns.name} />
          <HeaderCell className="hidden md:table-cell">{columns.type}</HeaderCell>
          <SortHeader
            {...sorting}
            field="fileSize"
            first="-fileSize"
            label={columns.size}
            className="hidden text-right sm:table-cell"
          />
          <SortHeader
            {...sorting}
            field="createdAt"
            first="-createdAt"
            label={columns.added}
            className="hidden sm:table-cell"
          />
          <HeaderCell>
            <span className="sr-only">{columns.actions}</span>
          </HeaderCell>
        </tr>
      </thead>
      <tbody>
        {assets.map((asset) => (
          <AssetRow key={asset.id} {...{ asset, actions, selection, within }} />
        ))}
      </tbody>
    </Table>
  );
}

function AssetRow({
  asset,
  actions,
  selection,
  within = {},
}: Pick<AssetTableProps, 'actions' | 'selection' | 'within'> & {
  readonly asset: Asset;
}): ReactNode {
  const { id, assetName, fileSize, createdAt, isFavorite } = asset;
  return (
    <Row className={selection.has(id) ? 'bg-accent-soft/60' : undefined}>
      <Cell className="py-1.5 pr-0 pl-2.5">
        <div className="[&>label]:border-transparent [&>label]:bg-transparent">
          <SelectBox asset={asset} selection={selection} />
        </div>
      </Cell>
      <Cell className="w-full max-w-0 py-1.5">
        <div className="flex items-center gap-3">
          <Thumbnail asset={asset} size="row" />
          <Link
            dir="auto"
            to="/assets/$id"
            params={{ id }}
            search={within}
            title={assetName}
            className="min-w-0 truncate font-medium hover:underline"
          >
            {assetName}
          </Link>
        </div>
      </Cell>
      <Cell className="hidden py-1.5 whitespace-nowrap text-ink-muted md:table-cell">
        {texts.kinds[kindOf(asset)]}
      </Cell>
      <Cell className="hidden py-1.5 text-right whitespace-nowrap text-ink-muted sm:table-cell">
        <ByteSize bytes={fileSize} />
      </Cell>
      <Cell className="hidden py-1.5 whitespace-nowrap text-ink-muted sm:table-cell">
        <Time at={createdAt} />
      </Cell>
      <Cell className="py-1.5 pl-0">
        <div className="flex justify-end">
          <FavoriteButton
            name={assetName}
            isFavorite={isFavorite}
            size="sm"
            onChange={(next) => actions.favorite([asset], next)}
          />
          <AssetMenu asset={asset} actions={actions} size="sm" />
        </div>
      </Cell>
    </Row>
  );
}

interface SortHeaderProps extends Pick<AssetTableProps, 'sort' | 'onSort'> {
  readonly field: SortField;
  /** The sort order after the first click. */
  readonly first: SortField | `-${SortField}`;
  readonly label: string;
  readonly className?: string | undefined;
}

function SortHeader({ sort, onSort, field, first, label, className }: SortHeaderProps): ReactNode {
  const direction = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : undefined;
  const other = first === field ? (`-${field}` as const) : field;
  const Icon = direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <HeaderCell aria-sort={direction ?? 'none'} className={className}>
      <button
        type="button"
        onClick={() => onSort(sort === first ? other : first)}
        className="inline-flex items-center gap-1 rounded-sm font-medium hover:text-ink"
      >
        {label}
        <Icon aria-hidden className={`size-3.5 ${direction ? '' : 'invisible'}`} />
      </button>
    </HeaderCell>
  );
}
