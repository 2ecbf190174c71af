import type { Activity } from '@atelier/client';
import { Activity as ActivityIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOrganizationQueries, useItemPages } from '../../session/queries.ts';
import { texts as words } from '../../texts/asset-activity.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { More } from '../../library/more.tsx';
import { Failed } from '../../ui/load.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { sentenceOf } from './activity-sentence.ts';

/** Lists the activity on an asset, latest first. */
export default function AssetActivity({ assetId }: { readonly assetId: string }): ReactNode {
  const queries = useOrganizationQueries();
  const list = useItemPages(
    queries.assets.logs.infiniteQueryOptions({ params: { id: assetId }, query: { limit: 20 } }),
  );
  if (list.isPending) return <SkeletonRows count={4} />;
  if (list.error && list.items.length === 0) {
    return <Failed error={list.error} onRetry={list.refetch} />;
  }
  if (list.items.length === 0) return <EmptyState icon={ActivityIcon} title={words.empty} />;
  return (
    <>
      <ol className="flex flex-col gap-4">
        {list.items.map((activity) => (
          <ActivityRow key={activity.id} activity={activity} />
        ))}
      </ol>
      <More list={list} />
    </>
  );
}

function ActivityRow({ activity }: { readonly activity: Activity }): ReactNode {
  const name = activity.actor?.name ?? words.service;
  return (
    <li className="flex gap-3">
      <Avatar name={name} />
      <div className="min-w-0">
        <p className="wrap-anywhere">
          <bdi className="font-medium">{name}</bdi> {sentenceOf(activity)}
        </p>
        <p className="text-sm text-ink-muted">
          <Time at={activity.createdAt} />
        </p>
      </div>
    </li>
  );
}
