import { useEffect, useState } from 'react';

const pauseMs = 250;

/** A field that searches while somebody types, after each short pause. */
export function useSearchText(
  current: string | undefined,
  onSearch: (text: string | undefined) => void,
): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(current ?? '');
  const [seen, setSeen] = useState(current);
  // Changed from elsewhere, such as by “Clear filters” or the way back.
  if (seen !== current) {
    setSeen(current);
    if ((current ?? '') !== typed.trim()) setTyped(current ?? '');
  }
  useEffect(() => {
    const wanted = typed.trim() || undefined;
    if (wanted === current) return undefined;
    const timer = setTimeout(() => onSearch(wanted), pauseMs);
    return () => clearTimeout(timer);
  }, [typed, current, onSearch]);
  return [typed, setTyped];
}
