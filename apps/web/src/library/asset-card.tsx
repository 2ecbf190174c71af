import type { Asset } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts/library.ts';
import { byteSize } from '../ui/byte-size.tsx';
import { classNames } from '../ui/class-names.ts';
import { Time } from '../ui/time.tsx';
import type { AssetActions } from './asset-actions.tsx';
import { kindOf } from './asset-kind.ts';
import type { AssetListSearch } from './asset-list-search.ts';
import { AssetMenu } from './asset-menu.tsx';
import { FavoriteButton } from './favorite-button.tsx';
import { ReviewChip } from './review-chip.tsx';
import type { Selection } from './selection.ts';
import { SelectBox } from './select-box.tsx';
import { Thumbnail } from './thumbnail.tsx';

interface AssetCardProps {
  readonly asset: Asset;
  readonly actions: AssetActions;
  /** Without it, the asset can't be selected. */
  readonly selection?: Selection | undefined;
  /** Filters and order of the list of a collection, which the page of the asset goes through. */
  readonly within?: AssetListSearch | undefined;
}

/** Shows an asset as a card of a grid. */
export function AssetCard({ asset, actions, selection, within = {} }: AssetCardProps): ReactNode {
  const { id, assetName, isFavorite, fileSize, createdAt, tags } = asset;
  const isSelected = selection?.has(id) ?? false;
  return (
    <li
      className={classNames(
        'group relative overflow-hidden rounded-lg border bg-surface transition-shadow hover:shadow-raised',
        isSelected ? 'border-accent ring-1 ring-accent' : 'border-line',
      )}
    >
      <Thumbnail asset={asset} size="tile" />
      {selection ? (
        <div
          className={classNames(
            'absolute top-2 left-2 z-10 transition-opacity',
            selection.count === 0 &&
              'pointer-fine:opacity-0 group-hover:opacity-100 group-focus-within:opacity-100',
          )}
        >
          <SelectBox asset={asset} selection={selection} />
        </div>
      ) : null}
      <span className="pointer-events-none absolute top-2 right-2">
        <ReviewChip review={asset.review} />
      </span>
      <div className="flex items-start border-t border-line py-2 pr-1.5 pl-3">
        <div className="min-w-0 flex-1 pt-0.5">
          <Link
            dir="auto"
            to="/assets/$id"
            params={{ id }}
            search={within}
            title={assetName}
            className="block truncate font-medium after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {assetName}
          </Link>
          <p className="truncate text-xs text-ink-muted">
            <span className="sr-only">{texts.kinds[kindOf(asset)]} · </span>
            {byteSize(fileSize)} · <Time at={createdAt} className="relative z-10" />
          </p>
          {tags.length > 0 ? (
            <p className="mt-1 truncate text-xs text-ink-muted">{tags.join(' · ')}</p>
          ) : null}
        </div>
        <div className="relative z-10 flex">
          <FavoriteButton
            name={assetName}
            isFavorite={isFavorite}
            size="sm"
            onChange={(next) => actions.favorite([asset], next)}
          />
          <AssetMenu asset={asset} actions={actions} size="sm" />
        </div>
      </div>
    </li>
  );
}

/** Classes of a grid of assets. */
export const gridClass =
  'grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(13.5rem,1fr))] sm:gap-4';
