import { useEffect, useState } from 'react';

const debounceMs = 250;

/** Debounces the text of a search field. */
export function useSearchText(
  current: string | undefined,
  onSearch: (text: string | undefined) => void,
): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(current ?? '');
  const [previous, setPrevious] = useState(current);
  // Changed from outside, such as by “Clear filters” or the back button.
  if (previous !== current) {
    setPrevious(current);
    if ((current ?? '') !== typed.trim()) setTyped(current ?? '');
  }
  useEffect(() => {
    const wanted = typed.trim() || undefined;
    if (wanted === current) return undefined;
    const timer = setTimeout(() => onSearch(wanted), debounceMs);
    return () => clearTimeout(timer);
  }, [typed, current, onSearch]);
  return [typed, setTyped];
}
