import { createContext, useContext } from 'react';

/** The open dialog that something is inside of: menus and tooltips must stand in its layer. */
const Layer = createContext<HTMLElement | null>(null);

export const LayerProvider = Layer.Provider;

/** Where to put what floats: inside the open dialog, else at the end of the page. */
export function useLayer(): HTMLElement | undefined {
  return useContext(Layer) ?? undefined;
}
