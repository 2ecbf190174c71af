import { useEffect, useState, type ComponentProps, type ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface ScrollAreaProps extends Omit<ComponentProps<'div'>, 'ref' | 'children'> {
  readonly 'aria-label': string;
  readonly role: 'group' | 'region';
  /** The colour behind it, into which fades what goes on beyond an edge. */
  readonly behind: keyof typeof fades;
  /** Of the frame around what scrolls. */
  readonly frameClass?: string | undefined;
  readonly children: ReactNode;
}

const fades = { canvas: 'from-canvas', surface: 'from-surface' };

/**
 * Scrolls sideways where there is too little room, and shows at its edges that there is more. Only then
 * is it a stop of the tab key, so that the arrow keys scroll it.
 */
export function ScrollArea({
  behind,
  frameClass,
  className,
  children,
  ...rest
}: ScrollAreaProps): ReactNode {
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const { before, after } = useHidden(element);
  const fade = classNames(
    'pointer-events-none absolute inset-y-0 z-10 w-10 to-transparent transition-opacity',
    fades[behind],
  );
  return (
    <div className={classNames('relative', frameClass)}>
      <div
        {...rest}
        ref={setElement}
        // Whoever has no pointer scrolls it by the arrow keys.
        tabIndex={before || after ? 0 : undefined}
        className={classNames('overflow-x-auto', className)}
      >
        {children}
      </div>
      <span
        aria-hidden
        className={classNames(fade, 'left-0 bg-linear-to-r', before ? 'opacity-100' : 'opacity-0')}
      />
      <span
        aria-hidden
        className={classNames(fade, 'right-0 bg-linear-to-l', after ? 'opacity-100' : 'opacity-0')}
      />
    </div>
  );
}

interface Hidden {
  readonly before: boolean;
  readonly after: boolean;
}

/** Whether an element goes on beyond its left and its right edge. */
function useHidden(element: HTMLElement | null): Hidden {
  const [hidden, setHidden] = useState<Hidden>({ before: false, after: false });
  useEffect(() => {
    if (!element) return undefined;
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      // Zoomed pages have halves of pixels.
      const before = scrollLeft > 1;
      const after = scrollLeft + clientWidth < scrollWidth - 1;
      setHidden((was) => (was.before === before && was.after === after ? was : { before, after }));
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    for (const child of element.children) sizes.observe(child);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [element]);
  return hidden;
}
