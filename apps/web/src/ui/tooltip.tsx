import { Slot } from 'radix-ui';
import {
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { lazyComponent } from '../loading/component.tsx';
import { loadWhenIdle } from '../loading/idle.ts';
import { script } from '../loading/script.ts';

interface TooltipProps {
  readonly text: string;
  /** The anchor; has to accept a ref and pointer handlers. */
  readonly children: ReactElement;
}

const openDelayMs = 400;
/** Time to move the pointer from the anchor to the tooltip. */
const closeDelayMs = 120;

const code = script(async () => ({
  default: (await import('./tooltip-bubble.tsx')).TooltipBubble,
}));
loadWhenIdle(code);
// Its text is also available elsewhere.
const Bubble = lazyComponent(code, () => null);

/**
 * Shows a short text beside the hovered or focused element. The text must also be available elsewhere. The
 * code that positions it is loaded when the browser is idle.
 */
export function Tooltip({ text, children }: TooltipProps): ReactNode {
  const id = useId();
  const [anchor, setAnchor] = useState<Element | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const showLater = (element: Element | null, delayMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setAnchor(element), delayMs);
  };
  const hide = () => showLater(null, 0);
  return (
    <>
      <Slot.Root
        aria-describedby={anchor ? id : undefined}
        onPointerEnter={({ pointerType, currentTarget }: PointerEvent) => {
          if (pointerType !== 'touch') showLater(currentTarget, openDelayMs);
        }}
        onPointerLeave={() => showLater(null, closeDelayMs)}
        onPointerDown={hide}
        onFocus={({ currentTarget }: FocusEvent) => {
          if (currentTarget.matches(':focus-visible')) showLater(currentTarget, openDelayMs);
        }}
        onBlur={hide}
      >
        {children}
      </Slot.Root>
      {anchor && (
        <Suspense>
          <Bubble
            id={id}
            anchor={anchor}
            text={text}
            onEnter={() => showLater(anchor, 0)}
            onLeave={() => showLater(null, closeDelayMs)}
            onDismiss={hide}
          />
        </Suspense>
      )}
    </>
  );
}
