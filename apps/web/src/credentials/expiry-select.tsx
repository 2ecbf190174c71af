import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { texts } from '../texts/api-keys.ts';
import { Select } from '../ui/field.tsx';

const words = texts.creating;

/** The field of {@link ExpirySelect}: days, or null for a key that doesn't expire. */
export const expiresInDays = z.pipe(
  z.string(),
  z.transform((days) => (days === 'never' ? null : Number(days))),
);

/** Lets the user choose when a new key ends. */
export function ExpirySelect(): ReactNode {
  const [chosen, choose] = useState('90');
  return (
    <Select
      name="expiresInDays"
      label={words.expiry}
      hint={chosen === 'never' ? words.neverHint : undefined}
      value={chosen}
      onChange={({ target }) => choose(target.value)}
    >
      {Object.entries(words.expiries).map(([days, label]) => (
        <option key={days} value={days}>
          {label}
        </option>
      ))}
    </Select>
  );
}
