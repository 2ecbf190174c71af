import { useNavigate, useSearch } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { Suspense, useCallback, useState, type ReactNode } from 'react';
import { SegmentedControl } from '../../library/segmented-control.tsx';
import { SearchBox } from '../../library/search-box.tsx';
import { lazyDialog } from '../../loading/lazy.tsx';
import { useHasRole, useOrganization } from '../../session/account.ts';
import { useOrganizationId } from '../../session/selected-organization.ts';
import { texts } from '../../texts/bin.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { BinnedAssets, BinnedCollections } from './binned-lists.tsx';
import type { BinSearch } from './search.ts';

const EmptyDialog = lazyDialog(() => import('./empty-dialog.tsx'));

export default function BinPage(): ReactNode {
  const { q, tab = 'assets', scope } = useSearch({ from: '/shell/bin' });
  const navigate = useNavigate({ from: '/bin' });
  const organizationId = useOrganizationId();
  const isTeam = useOrganization()?.type === 'TEAM';
  const mayEmpty = useHasRole('MEMBER');
  const mayEmptyAll = useHasRole('ADMIN');
  const emptied = mayEmptyAll && scope !== 'mine' ? 'organization' : 'personal';
  const [isEmptying, setEmptying] = useState(false);
  const setSearch = useCallback(
    (changes: BinSearch) =>
      void navigate({ search: (before) => ({ ...before, ...changes }), replace: true }),
    [navigate],
  );
  const setQuery = useCallback((text: string) => setSearch({ q: text || undefined }), [setSearch]);
  const list = {
    q,
    scope: scope === 'mine' ? ('personal' as const) : ('organization' as const),
    onShowAll: () => setSearch({ q: undefined, scope: undefined }),
  };
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={
        mayEmpty ? (
          <Button icon={Trash2} onClick={() => setEmptying(true)}>
            {isTeam && emptied === 'personal' ? texts.emptyMine : texts.empty}
          </Button>
        ) : null
      }
    >
      <div className="mb-4 flex flex-wrap items-center gap-2">
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
      </div>
      {/* The key discards the items of the previous organization. */}
      <Tabs
        key={organizationId}
        label={texts.label}
        value={tab}
        onChange={(next) => setSearch({ tab: next === 'assets' ? undefined : next })}
        tabs={[
          { value: 'assets', label: texts.tabs.assets, panel: <BinnedAssets {...list} /> },
          {
            value: 'collections',
            label: texts.tabs.collections,
            panel: <BinnedCollections {...list} />,
          },
        ]}
      />
      {isEmptying ? (
        <Suspense>
          <EmptyDialog scope={emptied} isTeam={isTeam} onClose={() => setEmptying(false)} />
        </Suspense>
      ) : null}
    </Page>
  );
}
