import type { Asset } from '@atelier/client';
import { FileWarning } from 'lucide-react';
import type { ReactNode } from 'react';
import { kindIcons, kindOf } from '../../library/asset-kind.ts';
import { texts } from '../../texts/asset.ts';
import { EmptyState } from '../../ui/states.tsx';

/** Replaces the preview of an unsupported kind or of a file that can't be read. */
export default function NoPreview({
  asset,
  isBroken = false,
}: {
  readonly asset: Asset;
  readonly isBroken?: boolean;
}): ReactNode {
  return (
    <EmptyState
      icon={isBroken ? FileWarning : kindIcons[kindOf(asset)]}
      title={isBroken ? texts.brokenPreview : texts.noPreview}
    >
      {isBroken ? texts.brokenPreviewHint : texts.noPreviewHint}
    </EmptyState>
  );
}
