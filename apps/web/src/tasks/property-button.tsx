import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';

interface PropertyButtonProps extends ComponentProps<'button'> {
  /** Names the property for screen readers; its value follows. */
  readonly name: string;
}

/** A button that shows a property of a task and opens its picker. */
export function PropertyButton({
  name,
  className,
  children,
  ...rest
}: PropertyButtonProps): ReactNode {
  return (
    <button
      {...rest}
      type="button"
      className={classNames(
        'flex min-h-8 max-w-full min-w-0 flex-wrap items-center gap-x-2 gap-y-1 rounded-md border border-transparent px-2 py-0.5 text-left',
        'hover:border-line hover:bg-hover data-[state=open]:border-line data-[state=open]:bg-hover',
        className,
      )}
    >
      <span className="sr-only">{name}:</span>
      {children}
    </button>
  );
}
