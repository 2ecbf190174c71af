import { Tooltip as Primitive } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { useLayer } from './layer.tsx';

interface TooltipProps {
  readonly text: string;
  /** What it is about; takes a ref and the handlers of a pointer. */
  readonly children: ReactElement;
}

/** A short text beside what the pointer or the focus is on. Never the only place of a fact. */
export function Tooltip({ text, children }: TooltipProps): ReactNode {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal container={useLayer()}>
        <Primitive.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-72 rounded-sm bg-ink px-2 py-1 text-xs text-canvas"
        >
          {text}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

export const TooltipProvider = Primitive.Provider;
