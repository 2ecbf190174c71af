import type { Asset } from '@atelier/client';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '../../../session/api.ts';
import { useOrganizationId } from '../../../session/selected-organization.ts';
import { texts } from '../../../texts/asset-comments.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { notify, notifyFailure } from '../../../ui/notices.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { markersAsCsv, markersAsEdl } from './marker-files.ts';

const frameRates = [24, 25, 29.97, 30, 50, 59.94, 60];

/** Downloads the comments on times of the current version, for editing programs. */
export function ExportMarkers({ asset }: { readonly asset: Asset }): ReactNode {
  const { id, assetName, currentVersion } = asset;
  const organizationId = useOrganizationId();

  async function save(frameRate: number | null): Promise<void> {
    try {
      const { items, isComplete } = await api.assetComments.markers(
        { params: { id }, query: { version: currentVersion, ...(frameRate && { frameRate }) } },
        { organizationId },
      );
      if (items.length === 0) return notify(texts.noMarkers, { tone: 'info' });
      if (!isComplete) notify(texts.notAllMarkers, { tone: 'info' });
      const content =
        frameRate === null
          ? markersAsCsv(items)
          : markersAsEdl(items, { title: assetName, frameRate });
      const file = new Blob([content], { type: 'text/plain' });
      saveFile(file, `${assetName}.${frameRate === null ? 'csv' : 'edl'}`);
    } catch (error) {
      notifyFailure(error);
    }
  }

  return (
    <Menu
      trigger={
        <Button size="sm" tone="quiet" icon={Download}>
          {texts.markers}
        </Button>
      }
    >
      <MenuItem onSelect={() => void save(null)}>{texts.markersCsv}</MenuItem>
      {frameRates.map((frameRate) => (
        <MenuItem key={frameRate} onSelect={() => void save(frameRate)}>
          {texts.markersEdl(String(frameRate))}
        </MenuItem>
      ))}
    </Menu>
  );
}
