import type { Asset } from '@atelier/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { lazyPart } from '../../loading/lazy.tsx';
import { texts } from '../../texts/asset.ts';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import About from './about.tsx';
import Details from './details.tsx';
import PublicLink from './public-link.tsx';

const Review = lazyPart(() => import('./review/panel.tsx'));
const Versions = lazyPart(() => import('./versions.tsx'));
const AssetActivity = lazyPart(() => import('./asset-activity.tsx'));

interface AssetTabsProps {
  readonly asset: Asset;
  readonly collection: string | undefined;
  readonly onDownload: (asset: Asset, version?: number) => void;
}

/** The sections about an asset. The first one is loaded with them, the others later. */
export default function AssetTabs({ asset, collection, onDownload }: AssetTabsProps): ReactNode {
  const { tab = 'details' } = useSearch({ from: '/shell/assets/$id' });
  const navigate = useNavigate({ from: '/assets/$id' });
  return (
    <Tabs
      label={texts.sections}
      value={tab}
      onChange={(next) =>
        void navigate({
          search: (before) => ({ ...before, tab: next === 'details' ? undefined : next }),
          replace: true,
        })
      }
      tabs={[
        {
          value: 'details',
          label: texts.tabs.details,
          panel: (
            <div className="flex flex-col gap-6">
              <About asset={asset} />
              <PublicLink asset={asset} />
              <Details asset={asset} collection={collection} />
            </div>
          ),
        },
        {
          value: 'comments',
          label: texts.tabs.comments(asset.openCommentCount),
          panel: (
            <Suspense fallback={<SkeletonRows count={3} />}>
              <Review asset={asset} />
            </Suspense>
          ),
        },
        {
          value: 'versions',
          label: texts.tabs.versions,
          panel: (
            <Suspense fallback={<SkeletonRows count={3} />}>
              <Versions asset={asset} onDownload={(version) => onDownload(asset, version)} />
            </Suspense>
          ),
        },
        {
          value: 'activity',
          label: texts.tabs.activity,
          panel: (
            <Suspense fallback={<SkeletonRows count={3} />}>
              <AssetActivity assetId={asset.id} />
            </Suspense>
          ),
        },
      ]}
    />
  );
}
