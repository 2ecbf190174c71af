import { Slot } from 'radix-ui';
import { lazy, Suspense, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { MenuRadioGroupProps, MenuProps } from './menu-parts.tsx';

const load = () => import('./menu-parts.tsx');

const OpenMenu = lazy(async () => ({ default: (await load()).Menu }));
const RadioGroup = lazy(async () => ({ default: (await load()).MenuRadioGroup }));

export const MenuItem = lazy(async () => ({ default: (await load()).MenuItem }));
export const MenuLabel = lazy(async () => ({ default: (await load()).MenuLabel }));
export const MenuSeparator = lazy(async () => ({ default: (await load()).MenuSeparator }));

/** A group of options with a check mark at the selected one. */
export function MenuRadioGroup<Value extends string>(props: MenuRadioGroupProps<Value>): ReactNode {
  const { options, onChange } = props;
  return (
    <RadioGroup
      {...props}
      onChange={(value) => {
        const chosen = options.find((option) => option.value === value);
        if (chosen) onChange(chosen.value);
      }}
    />
  );
}

/**
 * Opens a menu. Its chunk is one of the largest of the app, so it is loaded when the pointer or the focus
 * reaches the first menu button.
 */
export function Menu({ trigger, ...menu }: MenuProps): ReactNode {
  const [isRequested, setRequested] = useState(false);
  const closed = (
    <Slot.Root
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setRequested(true)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        setRequested(true);
      }}
    >
      {trigger}
    </Slot.Root>
  );
  if (!isRequested) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenMenu {...menu} trigger={trigger} />
    </Suspense>
  );
}
