import { createContext, useContext } from 'react';

/** The surrounding open dialog, which must contain menus and tooltips: they would be hidden behind it. */
const Layer = createContext<HTMLElement | null>(null);

export const LayerProvider = Layer.Provider;

/** Returns the container of floating elements: the open dialog; undefined stands for the body. */
export function useLayer(): HTMLElement | undefined {
  return useContext(Layer) ?? undefined;
}
