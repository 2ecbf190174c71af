import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { ScrollArea } from './scroll-area.tsx';

interface TableProps {
  /** Read by screen readers only. */
  readonly caption: string;
  readonly children: ReactNode;
}

/** A table that scrolls sideways if the window is too narrow. */
export function Table({ caption, children }: TableProps): ReactNode {
  return (
    <ScrollArea
      role="region"
      aria-label={caption}
      behind="surface"
      frameClass="overflow-hidden rounded-lg border border-line bg-surface"
    >
      <table className="w-full border-collapse text-left text-base">
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </ScrollArea>
  );
}

export function HeaderCell({ className, ...rest }: ComponentProps<'th'>): ReactNode {
  return (
    <th
      scope="col"
      {...rest}
      className={classNames(
        'border-b border-line px-4 py-2.5 text-xs font-medium whitespace-nowrap text-ink-muted',
        className,
      )}
    />
  );
}

export function Row({ className, ...rest }: ComponentProps<'tr'>): ReactNode {
  return (
    <tr
      {...rest}
      className={classNames('not-last:border-b border-line hover:bg-hover/60', className)}
    />
  );
}

export function Cell({ className, ...rest }: ComponentProps<'td'>): ReactNode {
  return <td {...rest} className={classNames('px-4 py-2.5 align-middle', className)} />;
}
