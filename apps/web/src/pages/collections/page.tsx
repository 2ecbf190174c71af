import { keepPreviousData } from '@tanstack/react-query';
import type { Collection } from '@atelier/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FolderOpen, FolderPlus, Plus } from 'lucide-react';
import { Suspense, useCallback, useState, type ReactNode } from 'react';
import { lazyDialog } from '../../loading/lazy.tsx';
import { SegmentedControl } from '../../library/segmented-control.tsx';
import { CollectionCard, collectionGridClass } from '../../library/collection-card.tsx';
import { useCovers } from '../../library/covers.ts';
import { NoMatches } from '../../library/no-matches.tsx';
import { SearchBox } from '../../library/search-box.tsx';
import { SortSelect } from '../../library/sort-select.tsx';
import { TileSkeletons } from '../../library/tile-skeletons.tsx';
import { useHasRole, useOrganization } from '../../session/account.ts';
import { useOrganizationId } from '../../session/selected-organization.ts';
import { useOrganizationQueries, useItemPages } from '../../session/queries.ts';
import { texts } from '../../texts/collections.ts';
import { Button } from '../../ui/button.tsx';
import { More } from '../../library/more.tsx';
import { Failed } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import type { CollectionsSearch } from './search.ts';

const CollectionDialog = lazyDialog(() => import('../../library/collection-dialog.tsx'));

export default function CollectionsPage(): ReactNode {
  const mayCreate = useHasRole('MEMBER');
  const navigate = useNavigate();
  const [edited, setEdited] = useState<Collection | 'new' | null>(null);
  return (
    <Page
      title={texts.title}
      width="wide"
      actions={
        mayCreate ? (
          <Button tone="primary" icon={Plus} data-create onClick={() => setEdited('new')}>
            {texts.create}
          </Button>
        ) : null
      }
    >
      {/* The key discards the items of the previous organization. */}
      <CollectionList
        key={useOrganizationId()}
        onCreate={() => setEdited('new')}
        onRename={setEdited}
      />
      <Suspense>
        {edited === 'new' ? (
          <CollectionDialog
            onClose={() => setEdited(null)}
            onDone={({ id }) => void navigate({ to: '/collections/$id', params: { id } })}
          />
        ) : null}
        {edited && edited !== 'new' ? (
          <CollectionDialog collection={edited} onClose={() => setEdited(null)} />
        ) : null}
      </Suspense>
    </Page>
  );
}

interface CollectionListProps {
  readonly onCreate: () => void;
  readonly onRename: (collection: Collection) => void;
}

function CollectionList({ onCreate, onRename }: CollectionListProps): ReactNode {
  const search = useSearch({ from: '/shell/collections' });
  const { q, sort = '-updatedAt', scope } = search;
  const [setSearch, showAll] = useSetSearch();
  const isTeam = useOrganization()?.type === 'TEAM';
  const coversOf = useCovers();
  const queries = useOrganizationQueries();
  const list = useItemPages({
    ...queries.collections.list.infiniteQueryOptions({
      query: {
        limit: 50,
        sort,
        scope: scope === 'mine' ? 'personal' : 'organization',
        ...(q && { q }),
      },
    }),
    placeholderData: keepPreviousData,
  });
  const setQuery = useCallback((text: string) => setSearch({ q: text || undefined }), [setSearch]);
  const isEmpty = !list.isPending && !list.error && list.items.length === 0;
  if (isEmpty && !q) {
    return <NoCollections isMine={scope === 'mine'} onCreate={onCreate} onShowAll={showAll} />;
  }
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center gap-2">
        <SearchBox label={texts.search} value={q ?? ''} onChange={setQuery} />
        {isTeam ? (
          <SegmentedControl
            label={texts.scope}
            value={scope ?? 'everyone'}
            onChange={(next) => setSearch({ scope: next === 'mine' ? next : undefined })}
            options={[
              { value: 'everyone', label: texts.scopes.everyone },
              { value: 'mine', label: texts.scopes.mine },
            ]}
          />
        ) : null}
        <SortSelect
          value={sort}
          options={texts.sorts}
          onChange={(next) => setSearch({ sort: next === '-updatedAt' ? undefined : next })}
        />
      </div>
      {list.isPending ? <TileSkeletons gridClass={collectionGridClass} /> : null}
      {list.error && list.items.length === 0 ? (
        <Failed error={list.error} onRetry={list.refetch} />
      ) : null}
      {isEmpty ? <NoMatches onShowAll={showAll} /> : null}
      {list.items.length > 0 ? (
        <>
          <ul aria-label={texts.list} className={collectionGridClass}>
            {list.items.map((collection) => (
              <CollectionCard
                key={collection.id}
                collection={collection}
                covers={coversOf(collection.id)}
                onRename={onRename}
              />
            ))}
          </ul>
          <More list={list} />
        </>
      ) : null}
    </>
  );
}

/** Returns a function that changes search parameters and one that removes all of them. */
function useSetSearch() {
  const navigate = useNavigate({ from: '/collections' });
  const setSearch = useCallback(
    (changes: CollectionsSearch) =>
      void navigate({ search: (before) => ({ ...before, ...changes }), replace: true }),
    [navigate],
  );
  const showAll = useCallback(() => void navigate({ search: {}, replace: true }), [navigate]);
  return [setSearch, showAll] as const;
}

interface NoCollectionsProps {
  readonly isMine: boolean;
  readonly onCreate: () => void;
  readonly onShowAll: () => void;
}

function NoCollections({ isMine, onCreate, onShowAll }: NoCollectionsProps): ReactNode {
  const mayCreate = useHasRole('MEMBER');
  const create = mayCreate ? (
    <Button tone="primary" icon={FolderPlus} onClick={onCreate}>
      {texts.create}
    </Button>
  ) : null;
  if (isMine) {
    return (
      <EmptyState
        icon={FolderOpen}
        title={texts.emptyMine}
        action={
          <>
            <Button onClick={onShowAll}>{texts.showEveryone}</Button>
            {create}
          </>
        }
      >
        {texts.emptyMineHint}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={FolderOpen} title={texts.empty} action={create}>
      {mayCreate ? texts.emptyHint : texts.emptyViewer}
    </EmptyState>
  );
}
