import { useEffect } from 'react';
import { warnOfUnload } from './unload-warning.ts';

/** Has the browser ask before the page is left or reloaded, while the component is shown. */
export function useUnloadWarning(): void {
  useEffect(warnOfUnload, []);
}
