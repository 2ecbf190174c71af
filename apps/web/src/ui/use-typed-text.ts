import { useEffect, useState } from 'react';

/**
 * The text of a field whose value is kept elsewhere, such as in the address: it goes there after a pause in typing. What comes back
 * of it late changes nothing in the field, in which the user may have typed on; another value replaces the text.
 *
 * @param onPause - is given the text without the spaces around it
 */
export function useTypedText(
  value: string,
  onPause: (text: string) => void,
  pauseMs = 250,
): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  /** What has gone there and not yet come back, oldest first. */
  const [sent, setSent] = useState<readonly string[]>([]);
  if (shown !== value) {
    setShown(value);
    const own = sent.indexOf(value);
    setSent(own === -1 ? [] : sent.slice(own + 1));
    if (own === -1) setTyped(value);
  }
  const last = sent.at(-1) ?? value;
  useEffect(() => {
    const text = typed.trim();
    if (text === last) return undefined;
    const timer = setTimeout(() => {
      setSent((texts) => [...texts, text]);
      onPause(text);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed, last, onPause, pauseMs]);
  return [typed, setTyped];
}
