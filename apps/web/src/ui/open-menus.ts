import { createStore } from './store.ts';

/** How many menus are open. A tooltip would cover them. */
export const openMenus = createStore(0);
