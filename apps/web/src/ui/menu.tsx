import { Slot } from 'radix-ui';
import { lazy, Suspense, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { MenuChoiceProps, MenuProps } from './menu-parts.tsx';

const load = () => import('./menu-parts.tsx');

const OpenMenu = lazy(async () => ({ default: (await load()).Menu }));
const Choice = lazy(async () => ({ default: (await load()).MenuChoice }));

export const MenuItem = lazy(async () => ({ default: (await load()).MenuItem }));
export const MenuLabel = lazy(async () => ({ default: (await load()).MenuLabel }));
export const MenuSeparator = lazy(async () => ({ default: (await load()).MenuSeparator }));

/** One of several, with a tick. */
export function MenuChoice<Value extends string>(props: MenuChoiceProps<Value>): ReactNode {
  const { options, onChange } = props;
  return (
    <Choice
      {...props}
      onChange={(value) => {
        const chosen = options.find((option) => option.value === value);
        if (chosen) onChange(chosen.value);
      }}
    />
  );
}

/**
 * Actions behind a button, walked by the arrow keys. Its script is one of the largest of the app, so it
 * comes when a pointer or the focus is on the first such button.
 */
export function Menu({ trigger, ...menu }: MenuProps): ReactNode {
  const [isAskedFor, setAskedFor] = useState(false);
  const closed = (
    <Slot.Root
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setAskedFor(true)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        setAskedFor(true);
      }}
    >
      {trigger}
    </Slot.Root>
  );
  if (!isAskedFor) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenMenu {...menu} trigger={trigger} />
    </Suspense>
  );
}
