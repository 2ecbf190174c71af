import { Email, text } from '@atelier/contract';
import { errors } from 'jose';
import type { AssertedIdentity, Identification } from '../../ports/identity-provider.ts';
import { ProviderAway } from './fetch-json.ts';

/** Turns whatever goes wrong into an outcome. */
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

/** A name as an account may have it; null when it can't. */
export function personName(name: unknown): string | null {
  return PersonName.safeParse(name).data ?? null;
}

/** An address as an account may have it; null when it can't. */
export function emailAddress(email: unknown): string | null {
  return Email.safeParse(email).data ?? null;
}
