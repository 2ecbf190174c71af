import { Email, text } from '@atelier/contract';
import { errors } from 'jose';
import type { AssertedIdentity, Identification } from '../../ports/identity-provider.ts';
import { ProviderAway } from './fetch-json.ts';

/** Converts errors to outcomes. */
export async function identification(
  identify: () => Promise<AssertedIdentity>,
): Promise<Identification> {
  try {
    return { outcome: 'identified', identity: await identify() };
  } catch (cause) {
    const isAway = cause instanceof ProviderAway || cause instanceof errors.JWKSTimeout;
    return { outcome: isAway ? 'unavailable' : 'refused', cause };
  }
}

const PersonName = text({ max: 80 });

/** Returns a name in the form of an account name; null if it is not valid. */
export function personName(name: unknown): string | null {
  return PersonName.safeParse(name).data ?? null;
}

/** Returns an email in the form of an account email; null if it is not valid. */
export function emailAddress(email: unknown): string | null {
  return Email.safeParse(email).data ?? null;
}
