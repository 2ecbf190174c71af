import type { Asset, AssetVersion } from '@atelier/client';
import { Columns2, Download, History, Upload } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { kindOf } from '../../library/asset-kind.ts';
import { ReviewChip } from '../../library/review-chip.tsx';
import { lazyDialog } from '../../loading/lazy.tsx';
import { api } from '../../session/api.ts';
import { useMayChange } from '../../library/permissions.ts';
import { useOrganizationId } from '../../session/selected-organization.ts';
import {
  useOrganizationMutation,
  useOrganizationQueries,
  useItemPages,
} from '../../session/queries.ts';
import { texts } from '../../texts/asset.ts';
import { texts as words } from '../../texts/asset-versions.ts';
import { texts as compare } from '../../texts/compare-versions.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ByteSize } from '../../ui/byte-size.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { More } from '../../library/more.tsx';
import { Failed } from '../../ui/load.tsx';
import { notify } from '../../ui/notices.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { chooseFiles } from '../../uploads/upload-request.ts';
import { addUploads } from '../../uploads/uploads.ts';
import { useMemberName } from './member-names.ts';

const CompareVersions = lazyDialog(() => import('./compare-versions.tsx'));

interface VersionsProps {
  readonly asset: Asset;
  readonly onDownload: (versionNumber: number) => void;
}

/** Lists the versions of an asset, newest first. */
export default function Versions({ asset, onDownload }: VersionsProps): ReactNode {
  const { id } = asset;
  const mayChange = useMayChange()(asset);
  const queries = useOrganizationQueries();
  const list = useItemPages(
    queries.assets.versions.infiniteQueryOptions({ params: { id }, query: { limit: 20 } }),
  );
  if (list.isPending) return <SkeletonRows count={3} />;
  if (list.error && list.items.length === 0) {
    return <Failed error={list.error} onRetry={list.refetch} />;
  }
  return (
    <div className="flex flex-col gap-4">
      {mayChange ? <NewVersion asset={asset} /> : null}
      <ol className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface">
        {list.items.map((version) => (
          <VersionRow key={version.versionNumber} {...{ asset, version, mayChange, onDownload }} />
        ))}
      </ol>
      <More list={list} />
    </div>
  );
}

function NewVersion({ asset }: Pick<VersionsProps, 'asset'>): ReactNode {
  const organizationId = useOrganizationId();
  const { id: assetId, collectionId } = asset;
  return (
    <div>
      <Button
        icon={Upload}
        onClick={() =>
          chooseFiles({
            onFiles: (files) =>
              addUploads(files.slice(0, 1), { organizationId, collectionId, assetId }),
          })
        }
      >
        {words.upload}
      </Button>
      <p className="mt-2 text-sm text-ink-muted">{words.hint}</p>
    </div>
  );
}

interface VersionRowProps extends VersionsProps {
  readonly version: AssetVersion;
  readonly mayChange: boolean;
}

function VersionRow({ asset, version, mayChange, onDownload }: VersionRowProps): ReactNode {
  const { versionNumber, isCurrent, fileSize, createdAt, createdBy, restoredFrom } = version;
  const nameOf = useMemberName();
  const restore = useRestoreVersion(asset);
  const [isComparing, setComparing] = useState(false);
  return (
    <li className="flex items-start gap-2 py-3 pr-2 pl-4">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 font-medium">
          {words.name(versionNumber)}
          {isCurrent ? <Badge tone="accent">{words.current}</Badge> : null}
          <ReviewChip review={version.review} />
        </p>
        <p className="mt-0.5 text-sm text-ink-muted">
          <ByteSize bytes={fileSize} /> · <Time at={createdAt} />{' '}
          {texts.details.by(nameOf(createdBy))}
        </p>
        {restoredFrom === null ? null : (
          <p className="text-sm text-ink-muted">{words.restoredFrom(restoredFrom)}</p>
        )}
      </div>
      {mayChange && !isCurrent ? (
        <Button
          size="sm"
          tone="quiet"
          icon={History}
          isBusy={restore.isPending}
          aria-label={words.restoreLabel(versionNumber)}
          onClick={() => restore.mutate(versionNumber)}
        >
          {words.restore}
        </Button>
      ) : null}
      {!isCurrent && kindOf(asset) === 'image' ? (
        <IconButton
          icon={Columns2}
          size="sm"
          label={compare.openLabel(versionNumber)}
          onClick={() => setComparing(true)}
        />
      ) : null}
      {isComparing ? (
        <Suspense>
          <CompareVersions
            asset={asset}
            versionNumber={versionNumber}
            onClose={() => setComparing(false)}
          />
        </Suspense>
      ) : null}
      <IconButton
        icon={Download}
        size="sm"
        label={words.download(versionNumber)}
        onClick={() => onDownload(versionNumber)}
      />
    </li>
  );
}

function useRestoreVersion({ id, currentVersion }: Asset) {
  return useOrganizationMutation({
    change: (versionNumber: number, options) =>
      api.assets.restoreVersion({ params: { id, versionNumber } }, options),
    invalidates: [['assets'], ['timeline'], ['dashboard']],
    onDone: (asset, versionNumber) =>
      notify(
        asset.currentVersion === currentVersion
          ? words.unchanged(versionNumber)
          : words.restored(versionNumber, asset.currentVersion),
      ),
  });
}
