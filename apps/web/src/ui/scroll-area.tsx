import { useEffect, useState, type ComponentProps, type ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface ScrollAreaProps extends Omit<ComponentProps<'div'>, 'ref' | 'children'> {
  readonly 'aria-label': string;
  readonly role: 'group' | 'region';
  /** Background colour that the content fades into at the edges. */
  readonly behind: keyof typeof fades;
  /** Classes of the frame around the scrolling element. */
  readonly frameClass?: string | undefined;
  readonly children: ReactNode;
}

const fades = { canvas: 'from-canvas', surface: 'from-surface' };

/**
 * Scrolls sideways if its content doesn't fit, and fades the edges where there is more. Only then is it
 * focusable, so that the arrow keys scroll it.
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
        // Focusable, so that the arrow keys scroll it.
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

/** Tells whether content is hidden beyond the left and the right edge. */
function useHidden(element: HTMLElement | null): Hidden {
  const [hidden, setHidden] = useState<Hidden>({ before: false, after: false });
  useEffect(() => {
    if (!element) return undefined;
    const measure = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      // Zoomed pages have fractional pixels.
      const before = scrollLeft > 1;
      const after = scrollLeft + clientWidth < scrollWidth - 1;
      setHidden((current) =>
        current.before === before && current.after === after ? current : { before, after },
      );
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    for (const child of element.children) sizes.observe(child);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [element]);
  return hidden;
}
