import type { Asset } from '@atelier/client';
import { Download, Ellipsis, FolderInput, Pencil, Send, Share2, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useHasRole, useOrganization } from '../session/account.ts';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/library.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import type { AssetActions } from './asset-actions.tsx';
import { useMayChange } from './permissions.ts';

interface AssetMenuProps {
  readonly asset: Asset;
  readonly actions: AssetActions;
  readonly size?: 'sm' | 'md' | undefined;
}

/** Shows the actions on one asset. */
export function AssetMenu({ asset, actions, size }: AssetMenuProps): ReactNode {
  const mayChange = useMayChange()(asset);
  const mayShare = useHasRole('MEMBER');
  const isPersonal = useOrganization()?.type === 'PERSONAL';
  return (
    <Menu trigger={<IconButton icon={Ellipsis} label={texts.more(asset.assetName)} size={size} />}>
      <MenuItem icon={Download} onSelect={() => actions.download(asset)}>
        {texts.download}
      </MenuItem>
      {mayShare ? (
        <MenuItem icon={Share2} onSelect={() => actions.share(asset)}>
          {texts.share}
        </MenuItem>
      ) : null}
      {mayChange ? (
        <>
          <MenuItem icon={Pencil} onSelect={() => actions.rename(asset)}>
            {texts.rename}
          </MenuItem>
          <MenuItem icon={FolderInput} onSelect={() => actions.move([asset])}>
            {texts.move}
          </MenuItem>
        </>
      ) : null}
      {isPersonal ? (
        <MenuItem icon={Send} onSelect={() => actions.publish([asset])}>
          {texts.publish}
        </MenuItem>
      ) : null}
      {mayChange ? (
        <>
          <MenuSeparator />
          <MenuItem icon={Trash2} tone="danger" onSelect={() => actions.remove([asset])}>
            {shared.delete}
          </MenuItem>
        </>
      ) : null}
    </Menu>
  );
}
