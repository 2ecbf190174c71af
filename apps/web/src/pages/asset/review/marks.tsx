import type { Asset } from '@atelier/client';
import type { ReactNode } from 'react';
import { kindOf } from '../../../library/asset-kind.ts';
import { MarkLayer } from '../../../review/mark-layer.tsx';
import { useAssetComments } from './use-comments.ts';

/** Shows the places of the open comments on an asset. */
export default function Marks({ asset }: { readonly asset: Asset }): ReactNode {
  const { items } = useAssetComments(asset.id, 'open');
  return (
    <MarkLayer
      assetId={asset.id}
      version={asset.currentVersion}
      isPdf={kindOf(asset) === 'pdf'}
      comments={items.filter(({ versionNumber }) => versionNumber === asset.currentVersion)}
    />
  );
}
