import { createContext, useContext } from 'react';

/** Error messages of the surrounding form, by field name. */
export const FieldErrors = createContext<Readonly<Record<string, string>>>({});

export function useFieldError(name: string): string | undefined {
  return useContext(FieldErrors)[name];
}
