import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';

interface TurnProps<Item> {
  readonly icon: LucideIcon;
  readonly label: string;
  /** Undefined at the end. */
  readonly to: Item | undefined;
  readonly onOpen: (item: Item) => void;
  readonly isLeft?: boolean;
}

/** A button at the side of a picture, which opens its neighbour. */
export function Turn<Item>({
  icon,
  label,
  to,
  onOpen,
  isLeft = false,
}: TurnProps<Item>): ReactNode {
  return (
    <IconButton
      icon={icon}
      label={label}
      // Not `disabled`, which would lose the focus at the last one.
      aria-disabled={to === undefined}
      onClick={() => to !== undefined && onOpen(to)}
      className={classNames(
        'absolute! top-1/2 -translate-y-1/2 border border-line bg-raised! text-ink! aria-disabled:opacity-40',
        isLeft ? 'left-2' : 'right-2',
      )}
    />
  );
}
