import { Slot } from 'radix-ui';
import {
  useState,
  useSyncExternalStore,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { loadWhenIdle } from '../loading/idle.ts';
import { notifyNotLoaded } from '../loading/notify.ts';
import { script } from '../loading/script.ts';
import type * as parts from './menu-parts.tsx';
import type { MenuRadioGroupProps, MenuProps } from './menu-parts.tsx';

export type Parts = typeof parts;

const code = script<Parts>(() => import('./menu-parts.tsx'));
loadWhenIdle(code);

/** Returns the code of menus; null until it is loaded. */
export function useParts(): Parts | null {
  const state = useSyncExternalStore(code.state.subscribe, code.state.get);
  return state.status === 'loaded' ? state.module : null;
}

export function MenuItem(props: ComponentProps<Parts['MenuItem']>): ReactNode {
  const loaded = useParts();
  return loaded && <loaded.MenuItem {...props} />;
}

export function MenuLabel(props: ComponentProps<Parts['MenuLabel']>): ReactNode {
  const loaded = useParts();
  return loaded && <loaded.MenuLabel {...props} />;
}

export function MenuSeparator(): ReactNode {
  const loaded = useParts();
  return loaded && <loaded.MenuSeparator />;
}

/** A group of options with a check mark at the selected one. */
export function MenuRadioGroup<Value extends string>(props: MenuRadioGroupProps<Value>): ReactNode {
  const loaded = useParts();
  return loaded && <loaded.MenuRadioGroup {...props} />;
}

/**
 * Opens a menu. Its chunk is one of the largest of the app, so it is loaded when the browser is idle, or when
 * the pointer or the focus reaches a menu button before.
 */
export function Menu({ trigger, ...menu }: MenuProps): ReactNode {
  const [isRequested, setRequested] = useState(false);
  const loaded = useParts();
  if (isRequested && loaded) return <loaded.Menu {...menu} trigger={trigger} />;

  async function open(): Promise<void> {
    setRequested(true);
    const state = await code.load();
    if (state.status !== 'failed') return;
    // It would open unexpectedly later.
    setRequested(false);
    notifyNotLoaded(state.failure);
  }

  return (
    <Slot.Root
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void code.load()}
      onFocus={() => void code.load()}
      onClick={() => void open()}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        void open();
      }}
    >
      {trigger}
    </Slot.Root>
  );
}
