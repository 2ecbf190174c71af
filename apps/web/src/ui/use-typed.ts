import { useRef, type FocusEvent } from 'react';

type TextField = HTMLInputElement | HTMLTextAreaElement;

interface Typed {
  /** Notes what a field of a form contains before something is typed. For the parent of the fields. */
  readonly onFocus: (event: FocusEvent) => void;
  /** Tells whether a field contains something else since. */
  readonly hasTyped: () => boolean;
}

/** Follows what is typed into the fields of forms. */
export function useTyped(): Typed {
  const contents = useRef(new Map<TextField, string>());
  return {
    onFocus({ target }) {
      if (!isTextField(target) || !target.form || contents.current.has(target)) return;
      contents.current.set(target, target.value);
    },
    hasTyped: () =>
      [...contents.current].some(([field, before]) => field.isConnected && field.value !== before),
  };
}

function isTextField(target: EventTarget): target is TextField {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
