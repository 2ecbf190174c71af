import type { Asset } from '@atelier/client';
import { Download, FolderInput, Send, Star, StarOff, Trash2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { requestAssetsZip } from '../../downloads/request-assets.ts';
import type { AssetActions } from '../../library/asset-actions.tsx';
import { useMayChange } from '../../library/permissions.ts';
import type { Selection } from '../../library/selection.ts';
import { useOrganization } from '../../session/account.ts';
import { useOrganizationId } from '../../session/selected-organization.ts';
import { texts } from '../../texts/collection.ts';
import { texts as shared } from '../../texts/shared.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

interface SelectionBarProps {
  /** Title of the collection, which names a ZIP of its assets. */
  readonly title: string;
  readonly assets: readonly Asset[];
  readonly selection: Selection;
  readonly actions: AssetActions;
}

/** Shows the actions on the selected assets. */
export default function SelectionBar({
  title,
  assets,
  selection,
  actions,
}: SelectionBarProps): ReactNode {
  const mayChange = assets.every(useMayChange());
  const isPersonal = useOrganization()?.type === 'PERSONAL';
  const organizationId = useOrganizationId();
  const areFavorites = assets.every(({ isFavorite }) => isFavorite);
  const [first] = assets;
  function download(): void {
    if (first && assets.length === 1) actions.download(first);
    else void requestAssetsZip({ title, organizationId, assets });
  }
  return (
    <div
      role="toolbar"
      aria-label={texts.selection}
      className="flex min-h-9 flex-1 flex-wrap items-center gap-1 rounded-lg bg-accent-soft py-1 pr-2 pl-1"
    >
      <IconButton icon={X} size="sm" label={texts.clear} onClick={selection.clear} />
      <span aria-live="polite" className="mr-3 font-medium tabular-nums">
        {texts.selected(assets.length)}
      </span>
      <Button
        size="sm"
        tone="quiet"
        icon={areFavorites ? StarOff : Star}
        onClick={() => actions.favorite(assets, !areFavorites)}
      >
        {areFavorites ? texts.unfavorite : texts.favorite}
      </Button>
      <Button size="sm" tone="quiet" icon={Download} onClick={download}>
        {assets.length === 1 ? texts.download : texts.downloadZip}
      </Button>
      {mayChange ? (
        <Button size="sm" tone="quiet" icon={FolderInput} onClick={() => actions.move(assets)}>
          {texts.move}
        </Button>
      ) : null}
      {isPersonal ? (
        <Button size="sm" tone="quiet" icon={Send} onClick={() => actions.publish(assets)}>
          {texts.publish}
        </Button>
      ) : null}
      {mayChange ? (
        <Button
          size="sm"
          tone="quiet"
          icon={Trash2}
          className="text-danger!"
          onClick={() => actions.remove(assets)}
        >
          {shared.delete}
        </Button>
      ) : null}
    </div>
  );
}
