import type { ReactNode } from 'react';
import { texts } from '../../texts/project.ts';
import { ScrollArea } from '../../ui/scroll-area.tsx';

interface BoardFrameProps {
  readonly name: string;
  readonly children: ReactNode;
}

/** Lays out the columns of a board, which scroll sideways. */
export function BoardFrame({ name, children }: BoardFrameProps): ReactNode {
  return (
    <ScrollArea
      role="group"
      aria-label={texts.boardLabel(name)}
      behind="canvas"
      frameClass="-mx-4 sm:-mx-6 lg:-mx-8"
      className="flex snap-x scroll-px-4 gap-3 px-4 pb-4 sm:snap-none sm:px-6 lg:px-8"
    >
      {children}
    </ScrollArea>
  );
}
