import type { Asset } from '@atelier/client';
import type { ReactNode } from 'react';
import { texts } from '../texts/library.ts';
import type { Selection } from './selection.ts';

interface SelectBoxProps {
  readonly asset: Asset;
  readonly selection: Selection;
}

/** Selects an asset; with the Shift key, all assets since the last selected one. */
export function SelectBox({ asset, selection }: SelectBoxProps): ReactNode {
  return (
    <label className="flex size-7 cursor-pointer items-center justify-center rounded-md border border-line bg-raised">
      <input
        type="checkbox"
        aria-label={texts.select(asset.assetName)}
        checked={selection.has(asset.id)}
        className="size-4 cursor-pointer"
        onChange={({ nativeEvent }) =>
          selection.toggle(asset.id, {
            isRange: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey,
          })
        }
      />
    </label>
  );
}
