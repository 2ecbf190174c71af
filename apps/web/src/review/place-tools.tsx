import { Clock, MapPin, Spline, SquareDashed, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AssetKind } from '../library/asset-kind.ts';
import { texts } from '../texts/asset-comments.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { setPlace, unplaced, usePlace, type Anchor, type PlaceTool } from './place.ts';
import { durationText, recordingOnPage, timeOf } from './recording.ts';

const tools = [
  { tool: 'point', icon: MapPin },
  { tool: 'area', icon: SquareDashed },
  { tool: 'path', icon: Spline },
] as const;

interface PlaceToolsProps {
  readonly assetId: string;
  /** The version that is shown; undefined for visitors. */
  readonly version?: number | undefined;
  readonly kind: AssetKind;
}

/** Chooses what the next comment is about: a place in the picture, or a time of the recording. */
export function PlaceTools({ assetId, version, kind }: PlaceToolsProps): ReactNode {
  const { tool, anchor, versionNumber } = usePlace(assetId);
  if (anchor) {
    return (
      <span className="inline-flex items-center gap-1 rounded-full bg-accent-soft pl-3 text-sm text-accent">
        {nameOf(anchor)}
        {versionNumber === undefined || versionNumber === version
          ? null
          : ` ${texts.onVersion(versionNumber)}`}
        <IconButton
          icon={X}
          size="sm"
          label={texts.removePlace}
          onClick={() => setPlace(assetId, unplaced)}
        />
      </span>
    );
  }
  if (kind === 'video' || kind === 'audio') {
    return (
      <Button
        tone="quiet"
        icon={Clock}
        onClick={() =>
          setPlace(assetId, { anchor: timeOf(recordingOnPage()), versionNumber: version })
        }
      >
        {texts.atTime}
      </Button>
    );
  }
  if (kind !== 'image' && kind !== 'pdf') return null;
  const choose = (next: PlaceTool) => setPlace(assetId, { tool: next === tool ? null : next });
  return (
    <>
      <span role="toolbar" aria-label={texts.place} className="inline-flex">
        {tools.map(({ tool: name, icon }) => (
          <IconButton
            key={name}
            icon={icon}
            label={texts.tools[name]}
            aria-pressed={tool === name}
            onClick={() => choose(name)}
          />
        ))}
      </span>
      <span role="status" className="text-sm text-ink-muted">
        {tool ? texts.draw[tool] : ''}
      </span>
    </>
  );
}

function nameOf(anchor: Anchor): string {
  return anchor.kind === 'time' ? durationText(anchor.startMs) : texts.placed[anchor.kind];
}
