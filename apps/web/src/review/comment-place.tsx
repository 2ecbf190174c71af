import { Clock, FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts/asset-comments.ts';
import { Button } from '../ui/button.tsx';
import { setPlace, type Anchor } from './place.ts';
import { durationText, seek } from './recording.ts';

interface CommentPlaceProps {
  readonly assetId: string;
  readonly anchor: Anchor | null;
}

/** The time or the page that a comment is about; a place is shown in the picture. */
export function CommentPlace({ assetId, anchor }: CommentPlaceProps): ReactNode {
  if (anchor?.kind === 'time') {
    const { startMs, endMs } = anchor;
    const start = durationText(startMs);
    return (
      <Button
        size="sm"
        tone="quiet"
        icon={Clock}
        aria-label={texts.goTo(start)}
        onClick={() => seek(startMs)}
      >
        {endMs === undefined ? start : `${start} – ${durationText(endMs)}`}
      </Button>
    );
  }
  const page = anchor?.page;
  return page === undefined ? null : (
    <Button
      size="sm"
      tone="quiet"
      icon={FileText}
      aria-label={texts.goTo(texts.page(page))}
      onClick={() => setPlace(assetId, { page })}
    >
      {texts.page(page)}
    </Button>
  );
}
