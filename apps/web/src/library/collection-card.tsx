import type { Collection } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { Ellipsis, FolderOpen, Pencil, Share2, Trash2 } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../loading/lazy.tsx';
import { useHasRole } from '../session/account.ts';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/library.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Time } from '../ui/time.tsx';
import { useDeleteCollection, useFavoriteCollection } from './collection-changes.ts';
import { FavoriteButton } from './favorite-button.tsx';
import { useMayChange } from './permissions.ts';

const ShareDialog = lazyDialog(() => import('../sharing/share-dialog.tsx'));

interface CollectionCardProps {
  readonly collection: Collection;
  /** URLs of thumbnails of its assets. */
  readonly covers: readonly string[];
  readonly onRename: (collection: Collection) => void;
}

/** Shows a collection as a card of a grid. */
export function CollectionCard({ collection, covers, onRename }: CollectionCardProps): ReactNode {
  const { id, title, assetCount, isFavorite, updatedAt } = collection;
  const favorite = useFavoriteCollection();
  return (
    <li className="group relative overflow-hidden rounded-lg border border-line bg-surface transition-shadow hover:shadow-raised">
      <Cover urls={covers} />
      <div className="flex items-start border-t border-line py-2.5 pr-1.5 pl-3.5">
        <div className="min-w-0 flex-1 pt-0.5">
          <Link
            dir="auto"
            to="/collections/$id"
            params={{ id }}
            title={title}
            className="block truncate font-medium after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {title}
          </Link>
          <p className="truncate text-xs text-ink-muted">
            {texts.assets(assetCount)} · <Time at={updatedAt} className="relative z-10" />
          </p>
        </div>
        <div className="relative z-10 flex">
          <FavoriteButton
            name={title}
            isFavorite={isFavorite}
            size="sm"
            onChange={(next) => favorite.mutate({ id, isFavorite: next })}
          />
          <CollectionMenu collection={collection} onRename={onRename} />
        </div>
      </div>
    </li>
  );
}

function CollectionMenu({
  collection,
  onRename,
}: Pick<CollectionCardProps, 'collection' | 'onRename'>): ReactNode {
  const mayChange = useMayChange()(collection);
  const mayShare = useHasRole('MEMBER');
  const [isSharing, setSharing] = useState(false);
  const remove = useDeleteCollection();
  const { id, title } = collection;
  if (!mayChange && !mayShare) return null;
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label={texts.more(title)} size="sm" />}>
        {mayShare ? (
          <MenuItem icon={Share2} onSelect={() => setSharing(true)}>
            {texts.share}
          </MenuItem>
        ) : null}
        {mayChange ? (
          <>
            <MenuItem icon={Pencil} onSelect={() => onRename(collection)}>
              {texts.rename}
            </MenuItem>
            <MenuItem icon={Trash2} tone="danger" onSelect={() => remove.mutate(collection)}>
              {shared.delete}
            </MenuItem>
          </>
        ) : null}
      </Menu>
      {isSharing ? (
        <Suspense>
          <ShareDialog
            target={{ type: 'COLLECTION', id }}
            title={title}
            onClose={() => setSharing(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}

/** Shows one large thumbnail, or one large and two small ones. */
function Cover({ urls: [first, ...others] }: { readonly urls: readonly string[] }): ReactNode {
  const shape = 'aspect-[16/9] w-full bg-sunken';
  if (!first) {
    return (
      <span aria-hidden className={`flex items-center justify-center text-ink-muted ${shape}`}>
        <FolderOpen className="size-9 stroke-[1.25]" />
      </span>
    );
  }
  return (
    <span className={`flex gap-0.5 ${shape}`}>
      <Picture url={first} />
      {others.length > 1 ? (
        <span className="flex w-1/3 shrink-0 flex-col gap-0.5">
          {others.slice(0, 2).map((url) => (
            <Picture key={url} url={url} />
          ))}
        </span>
      ) : null}
    </span>
  );
}

function Picture({ url }: { readonly url: string }): ReactNode {
  return (
    <img
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      className="min-h-0 min-w-0 flex-1 object-cover"
    />
  );
}

/** Classes of a grid of collections. */
export const collectionGridClass =
  'grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-4';
