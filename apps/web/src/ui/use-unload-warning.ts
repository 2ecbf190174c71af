import { useEffect } from 'react';

/** Has the browser ask before the page is left or reloaded, while the component is shown. */
export function useUnloadWarning(): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, []);
}
