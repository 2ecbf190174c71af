import { createStore } from '../ui/store.ts';

export type Theme = 'system' | 'light' | 'dark';

/** The same key as in `public/theme.js`, which runs before the first paint. */
const key = 'atelier_theme';

export const themeChoice = createStore<Theme>(chosen());

/** Sets the theme in this browser. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Without storage, the theme lasts until the page is closed.
  }
  themeChoice.set(theme);
}

function chosen(): Theme {
  const theme = document.documentElement.dataset['theme'];
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}
