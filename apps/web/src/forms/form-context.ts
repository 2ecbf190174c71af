import { createContext, useContext } from 'react';

/** What is wrong with each field of the surrounding form, by name. */
export const FieldErrors = createContext<Readonly<Record<string, string>>>({});

export function useFieldError(name: string): string | undefined {
  return useContext(FieldErrors)[name];
}
