import type { Asset } from '@atelier/client';
import { useEffect, type ReactNode } from 'react';
import { Filmstrip } from './viewer/filmstrip.tsx';
import { isForPage } from '../../ui/page-keys.ts';
import { useNeighbours } from './viewer/neighbours.ts';

interface StripProps {
  readonly asset: Asset;
  readonly onFull: () => void;
}

/** Shows the assets beside this one below its preview; the arrow keys go to them, and `f` fills the window. */
export default function Strip({ asset, onFull }: StripProps): ReactNode {
  const neighbours = useNeighbours(asset);
  const { previous, next, open } = neighbours;
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (!isForPage(event) || event.shiftKey) return;
      const target = { ArrowLeft: previous, ArrowRight: next }[event.key];
      if (event.key === 'f') onFull();
      else if (target) open(target);
      else return;
      event.preventDefault();
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
  return <Filmstrip {...neighbours} />;
}
