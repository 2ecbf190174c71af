import type { ComponentType } from 'react';
import { texts } from '../texts/loading.ts';
import { Dialog } from '../ui/dialog.tsx';
import { lazyComponent, type LazyComponent, type Substitute } from './component.tsx';
import { loadWhenIdle } from './idle.ts';
import { NotLoaded } from './not-loaded.tsx';
import { script } from './script.ts';

type Read<Props> = () => Promise<{ readonly default: ComponentType<Props> }>;

/**
 * Splits a page into a chunk of its own, loaded on navigation. Unlike the router's own, it never reloads the
 * document, and it can be loaded again after a failure.
 */
export function lazyPage(read: Read<object>): LazyComponent<object> {
  return lazyComponent(script(read), (_, state) => <NotLoaded {...state} />);
}

/**
 * Splits a part of a page into a chunk of its own, loaded when the browser is idle. Without its code it says
 * so in its own place, and fills it by itself later. To be surrounded by `Suspense`.
 *
 * @param substitute - stands in for it without its code; default: a text with a button
 */
export function lazyPart<Props extends object>(
  read: Read<Props>,
  substitute: Substitute<Props> = (_, state) => <NotLoaded {...state} />,
): LazyComponent<Props> {
  const code = script(read);
  loadWhenIdle(code);
  return lazyComponent(code, substitute);
}

/** The same for a dialog. */
export function lazyDialog<Props extends { readonly onClose: () => void }>(
  read: Read<Props>,
): LazyComponent<Props> {
  return lazyPart(read, ({ onClose }, state) => (
    <Dialog isOpen onClose={onClose} title={texts.dialogTitle}>
      <NotLoaded {...state} />
    </Dialog>
  ));
}
