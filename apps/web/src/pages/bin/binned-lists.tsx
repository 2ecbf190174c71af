import { keepPreviousData } from '@tanstack/react-query';
import { FolderOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { kindOf } from '../../library/asset-kind.ts';
import { useMayChange } from '../../library/permissions.ts';
import { Thumbnail } from '../../library/thumbnail.tsx';
import {
  useOrganizationMutation,
  type TopicKey,
  useOrganizationQueries,
  useItemPages,
} from '../../session/queries.ts';
import { texts } from '../../texts/bin.ts';
import { texts as library } from '../../texts/library.ts';
import { byteSize } from '../../ui/byte-size.tsx';
import { notify } from '../../ui/notices.tsx';
import { BinTable, type BinList } from './bin-table.tsx';

interface BinnedListProps {
  readonly q: string | undefined;
  readonly scope: 'personal' | 'organization';
  readonly onShowAll: () => void;
}

const invalidates: readonly TopicKey[] = [['assets'], ['collections'], ['timeline']];

export function BinnedAssets({ q, scope, onShowAll }: BinnedListProps): ReactNode {
  const mayChange = useMayChange();
  const queries = useOrganizationQueries();
  const list = useItemPages({
    ...queries.assets.bin.infiniteQueryOptions({ query: { limit: 50, scope, ...(q && { q }) } }),
    placeholderData: keepPreviousData,
  });
  const restore = useOrganizationMutation({
    change: ({ id }: { id: string; name: string }, options) =>
      api.assets.restore({ params: { id } }, options),
    invalidates,
    onDone: (_, { name }) => notify(library.restored(name)),
  });
  const rows: BinList = {
    ...list,
    items: list.items.map((asset) => ({
      id: asset.id,
      name: asset.assetName,
      details: `${library.kinds[kindOf(asset)]} · ${byteSize(asset.fileSize)}`,
      picture: <Thumbnail asset={asset} size="row" />,
      deletedAt: asset.deletedAt,
      purgeAt: asset.purgeAt,
      mayRestore: mayChange(asset),
    })),
  };
  return (
    <BinTable
      caption={texts.tabs.assets}
      kind="asset"
      list={rows}
      empty={texts.emptyAssets}
      isFiltered={q !== undefined}
      onShowAll={onShowAll}
      onRestore={restore.mutate}
      busyId={restore.isPending ? restore.variables.id : undefined}
    />
  );
}

export function BinnedCollections({ q, scope, onShowAll }: BinnedListProps): ReactNode {
  const mayChange = useMayChange();
  const queries = useOrganizationQueries();
  const list = useItemPages({
    ...queries.collections.bin.infiniteQueryOptions({
      query: { limit: 50, scope, ...(q && { q }) },
    }),
    placeholderData: keepPreviousData,
  });
  const restore = useOrganizationMutation({
    change: ({ id }: { id: string; name: string }, options) =>
      api.collections.restore({ params: { id } }, options),
    invalidates,
    onDone: (_, { name }) => notify(library.restored(name)),
  });
  const rows: BinList = {
    ...list,
    items: list.items.map((collection) => ({
      id: collection.id,
      name: collection.title,
      details: texts.contains(collection.assetCount),
      picture: (
        <span className="flex size-9 shrink-0 items-center justify-center rounded-md bg-sunken text-ink-muted">
          <FolderOpen aria-hidden className="size-4" />
        </span>
      ),
      deletedAt: collection.deletedAt,
      purgeAt: collection.purgeAt,
      mayRestore: mayChange(collection),
    })),
  };
  return (
    <BinTable
      caption={texts.tabs.collections}
      kind="collection"
      list={rows}
      empty={texts.emptyCollections}
      isFiltered={q !== undefined}
      onShowAll={onShowAll}
      onRestore={restore.mutate}
      busyId={restore.isPending ? restore.variables.id : undefined}
    />
  );
}
