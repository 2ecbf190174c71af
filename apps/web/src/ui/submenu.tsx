import type { ComponentProps, ReactNode } from 'react';
import { useParts, type Parts } from './menu.tsx';

export function MenuCheckItem(props: ComponentProps<Parts['MenuCheckItem']>): ReactNode {
  const loaded = useParts();
  return loaded && <loaded.MenuCheckItem {...props} />;
}

/** A menu beside an item of a menu. */
export function Submenu(props: ComponentProps<Parts['Submenu']>): ReactNode {
  const loaded = useParts();
  return loaded && <loaded.Submenu {...props} />;
}
