import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Tooltip } from './tooltip.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  readonly icon: LucideIcon;
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly size?: 'sm' | 'md' | undefined;
}

/** A button with an icon only. */
export function IconButton({
  icon: Icon,
  label,
  size = 'md',
  className,
  type = 'button',
  ...rest
}: IconButtonProps): ReactNode {
  return (
    <Tooltip text={label}>
      <button
        {...rest}
        type={type}
        aria-label={label}
        className={classNames(
          'inline-flex shrink-0 items-center justify-center rounded-md text-ink-muted transition-colors',
          'hover:bg-hover hover:text-ink disabled:cursor-not-allowed disabled:opacity-50',
          'aria-pressed:text-accent data-[state=open]:bg-hover',
          size === 'sm' ? 'size-7' : 'size-9',
          className,
        )}
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </Tooltip>
  );
}
