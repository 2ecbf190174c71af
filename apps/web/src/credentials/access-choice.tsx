import type { Scope } from '@atelier/client';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/api-keys.ts';
import { Choice, Option } from './choice.tsx';
import { ScopePicker } from './scope-picker.tsx';

const words = texts.creating;
const presets = ['read-only', 'contributor', 'everything'] as const;

type Access = (typeof presets)[number] | 'custom';

/** What the body of a request says of it. */
export type AccessBody =
  | { readonly preset: (typeof presets)[number] }
  | { readonly scopes: Scope[] };

interface ChosenAccess {
  /** Undefined if no scope is chosen. */
  readonly body: AccessBody | undefined;
  /** Lets the user choose; shows an error if asked to. */
  readonly choice: (showsError: boolean) => ReactNode;
}

/** Lets the user choose what a new key may do. */
export function useAccess(hint: string): ChosenAccess {
  const [access, setAccess] = useState<Access>('read-only');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const lacksScopes = access === 'custom' && scopes.length === 0;
  const chosen = access === 'custom' ? { scopes: [...scopes] } : { preset: access };
  return {
    body: lacksScopes ? undefined : chosen,
    choice: (showsError) => (
      <Choice
        legend={words.access}
        hint={hint}
        error={showsError && lacksScopes ? words.noScope : undefined}
      >
        {[...presets, 'custom' as const].map((value) => (
          <Option
            key={value}
            type="radio"
            name="access"
            value={value}
            {...(value === 'custom' ? words.custom : words.presets[value])}
            isChosen={access === value}
            onChange={() => setAccess(value)}
          />
        ))}
        {access === 'custom' ? <ScopePicker chosen={scopes} onChange={setScopes} /> : null}
      </Choice>
    ),
  };
}
