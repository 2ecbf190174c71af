import { Slot } from 'radix-ui';
import {
  lazy,
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

interface TooltipProps {
  readonly text: string;
  /** What it is about; takes a ref and the handlers of a pointer. */
  readonly children: ReactElement;
}

const openDelayMs = 400;
/** Time to bring the pointer over to the text itself. */
const closeDelayMs = 120;

const Bubble = lazy(async () => ({
  default: (await import('./tooltip-bubble.tsx')).TooltipBubble,
}));

/**
 * A short text beside what the pointer or the focus is on. Never the only place of a fact. What places it
 * is loaded when the first one opens.
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
