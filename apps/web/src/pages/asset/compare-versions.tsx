import { useQuery } from '@tanstack/react-query';
import type { Asset } from '@atelier/client';
import { useState, type ReactNode } from 'react';
import { useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/compare-versions.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Load } from '../../ui/load.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

interface CompareVersionsProps {
  readonly asset: Asset;
  /** The earlier one. */
  readonly versionNumber: number;
  readonly onClose: () => void;
}

/** Shows an earlier version of a picture over the current one, as far as a slider says. */
export default function CompareVersions({
  asset,
  versionNumber,
  onClose,
}: CompareVersionsProps): ReactNode {
  const { currentVersion } = asset;
  const earlier = useVersionUrl(asset, versionNumber);
  const current = useVersionUrl(asset, currentVersion);
  const skeleton = <Skeleton className="h-[60dvh] w-full" />;
  return (
    <Dialog isOpen size="lg" title={texts.title(versionNumber, currentVersion)} onClose={onClose}>
      <Load query={earlier} skeleton={skeleton}>
        {({ url: earlierUrl }) => (
          <Load query={current} skeleton={skeleton}>
            {({ url: currentUrl }) => (
              <Comparison
                earlier={{ number: versionNumber, url: earlierUrl }}
                current={{ number: currentVersion, url: currentUrl }}
              />
            )}
          </Load>
        )}
      </Load>
    </Dialog>
  );
}

interface VersionPicture {
  readonly number: number;
  readonly url: string;
}

interface ComparisonProps {
  readonly earlier: VersionPicture;
  readonly current: VersionPicture;
}

function Comparison({ earlier, current }: ComparisonProps): ReactNode {
  const [shown, setShown] = useState(50);
  const [hasFailed, setFailed] = useState(false);
  const onError = () => setFailed(true);
  const picture = 'absolute inset-0 size-full object-contain';
  if (hasFailed) return <p className="text-ink-muted">{texts.failed}</p>;
  return (
    <>
      <div className="relative h-[60dvh] overflow-hidden rounded-lg bg-sunken">
        <img
          src={current.url}
          alt={texts.version(current.number)}
          onError={onError}
          className={picture}
        />
        <img
          src={earlier.url}
          alt={texts.version(earlier.number)}
          onError={onError}
          className={picture}
          style={{ clipPath: `inset(0 ${100 - shown}% 0 0)` }}
        />
        <span
          aria-hidden
          className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-accent"
          style={{ left: `${shown}%` }}
        />
      </div>
      <input
        type="range"
        min={0}
        max={100}
        value={shown}
        aria-label={texts.slider}
        onChange={({ target }) => setShown(Number(target.value))}
        className="mt-3 w-full accent-accent"
      />
      <p aria-hidden className="flex justify-between text-sm text-ink-muted">
        <span>{texts.version(earlier.number)}</span>
        <span>{texts.version(current.number)}</span>
      </p>
    </>
  );
}

function useVersionUrl({ id }: Asset, version: number) {
  const queries = useOrganizationQueries();
  return useQuery(queries.assets.download.queryOptions({ params: { id }, query: { version } }));
}
