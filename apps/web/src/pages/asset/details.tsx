import type { Asset } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { kindOf } from '../../library/asset-kind.ts';
import { texts } from '../../texts/asset.ts';
import { texts as library } from '../../texts/library.ts';
import { ByteSize } from '../../ui/byte-size.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Time } from '../../ui/time.tsx';
import { useMemberName } from './member-names.ts';

const words = texts.details;

interface DetailsProps {
  readonly asset: Asset;
  /** Title of its collection; undefined while loading. */
  readonly collection: string | undefined;
}

/** Lists the metadata of an asset. */
export default function Details({ asset, collection }: DetailsProps): ReactNode {
  const { assetType, fileSize, width, height, createdAt, updatedAt, checksum } = asset;
  const nameOf = useMemberName();
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-2.5 [&_dt]:text-ink-muted">
      <dt>{words.type}</dt>
      <dd>
        {library.kinds[kindOf(asset)]}{' '}
        <span className="text-sm wrap-anywhere text-ink-muted">{assetType}</span>
      </dd>
      <dt>{words.size}</dt>
      <dd>
        <ByteSize bytes={fileSize} />
      </dd>
      {width && height ? (
        <>
          <dt>{words.dimensions}</dt>
          <dd className="tabular-nums">{words.pixels(width, height)}</dd>
        </>
      ) : null}
      <dt>{words.collection}</dt>
      <dd className="min-w-0">
        <Link
          to="/collections/$id"
          params={{ id: asset.collectionId }}
          className="block truncate text-accent hover:underline"
        >
          {collection ?? words.collection}
        </Link>
      </dd>
      <dt>{words.added}</dt>
      <dd>
        <Time at={createdAt} /> {words.by(nameOf(asset.createdBy))}
      </dd>
      <dt>{words.changed}</dt>
      <dd>
        <Time at={updatedAt} />
      </dd>
      <dt>{words.version}</dt>
      <dd className="tabular-nums">{asset.currentVersion}</dd>
      {checksum ? (
        <>
          <dt className="self-center">{words.checksum}</dt>
          <dd className="flex items-center gap-1">
            <code className="min-w-0 truncate text-sm" title={checksum}>
              {checksum}
            </code>
            <IconButton
              icon={Copy}
              size="sm"
              label={words.copyChecksum}
              onClick={() => void copyText(checksum)}
            />
          </dd>
        </>
      ) : null}
      {asset.publishedFromAssetId ? (
        <dd className="col-span-2 text-sm text-ink-muted">{words.published}</dd>
      ) : null}
    </dl>
  );
}
