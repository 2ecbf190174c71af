import { autoUpdate, computePosition, flip, offset, shift } from '@floating-ui/dom';
import { useEffect, useEffectEvent, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useLayer } from './layer.tsx';
import { openMenus } from './open-menus.ts';

interface TooltipBubbleProps {
  readonly id: string;
  readonly anchor: Element;
  readonly text: string;
  readonly onEnter: () => void;
  readonly onLeave: () => void;
  /** Called on Escape, and while a menu is open. */
  readonly onDismiss: () => void;
}

/** Shows the text of a tooltip next to its anchor; it stays while the pointer is over it. */
export function TooltipBubble({
  id,
  anchor,
  text,
  onEnter,
  onLeave,
  onDismiss,
}: TooltipBubbleProps): ReactNode {
  const bubble = useRef<HTMLDivElement>(null);
  const dismissed = useEffectEvent(onDismiss);
  const isCovering = useSyncExternalStore(openMenus.subscribe, () => openMenus.get() > 0);
  useEffect(() => {
    if (isCovering) dismissed();
  }, [isCovering]);
  useEffect(() => {
    const element = bubble.current;
    if (!element) return;
    return autoUpdate(anchor, element, () => {
      void computePosition(anchor, element, {
        placement: 'top',
        strategy: 'fixed',
        middleware: [offset(6), flip({ padding: 8 }), shift({ padding: 8 })],
      }).then(({ x, y }) => {
        element.style.translate = `${x}px ${y}px`;
        element.style.visibility = 'visible';
      });
    });
  }, [anchor]);
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') dismissed();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return createPortal(
    <div
      ref={bubble}
      id={id}
      role="tooltip"
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
      hidden={isCovering}
      className="invisible fixed top-0 left-0 z-50 w-max max-w-72 rounded-sm bg-ink px-2 py-1 text-xs text-canvas"
    >
      {text}
    </div>,
    useLayer() ?? document.body,
  );
}
