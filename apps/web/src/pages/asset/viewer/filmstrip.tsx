import type { Asset } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { Thumbnail } from '../../../library/thumbnail.tsx';
import { texts } from '../../../texts/viewer.ts';
import { classNames } from '../../../ui/class-names.ts';
import type { Neighbours } from './neighbours.ts';

/** Number of thumbnails at each side of the current one. */
const around = 25;

/** Shows the assets around the current one as thumbnails. One of them takes the focus; the arrow keys go on. */
export function Filmstrip({ items, index, open }: Neighbours): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const current = items[index]?.id;
  useEffect(() => {
    const strip = list.current;
    const link = strip?.querySelector<HTMLElement>('[aria-current]');
    if (!strip || !link) return;
    const isSmooth = matchMedia('(prefers-reduced-motion: no-preference)').matches;
    strip.scrollTo({
      left: link.offsetLeft - (strip.clientWidth - link.offsetWidth) / 2,
      behavior: isSmooth ? 'smooth' : 'instant',
    });
    if (strip.contains(document.activeElement)) link.focus({ preventScroll: true });
  }, [current]);
  if (index === -1 || items.length < 2) return null;
  const shown = items.slice(Math.max(0, index - around), index + around + 1);
  return (
    <nav aria-label={texts.strip} className="mt-1.5">
      <ul ref={list} className="relative flex gap-1.5 overflow-x-auto p-1">
        {shown.map((asset) => (
          <Frame key={asset.id} asset={asset} isCurrent={asset.id === current} onOpen={open} />
        ))}
      </ul>
    </nav>
  );
}

interface FrameProps {
  readonly asset: Asset;
  readonly isCurrent: boolean;
  readonly onOpen: (asset: Asset) => void;
}

function Frame({ asset, isCurrent, onOpen }: FrameProps): ReactNode {
  return (
    <li className="shrink-0">
      <Link
        from="/assets/$id"
        to="/assets/$id"
        params={{ id: asset.id }}
        search={(before) => ({ ...before, tab: undefined })}
        aria-label={asset.assetName}
        title={asset.assetName}
        aria-current={isCurrent ? 'page' : undefined}
        tabIndex={isCurrent ? 0 : -1}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onOpen(asset);
        }}
        className={classNames(
          'block overflow-hidden rounded-md border-2',
          isCurrent ? 'border-accent' : 'border-transparent opacity-70 hover:opacity-100',
        )}
      >
        <Thumbnail asset={asset} size="strip" />
      </Link>
    </li>
  );
}
