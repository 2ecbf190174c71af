import type { Person } from '@atelier/contract';
import type { ObjectStore } from '../../ports/object-store.ts';
import { avatarUrlOf, displayNameOf } from '../present-user.ts';

/** What a query has to select of `users` to show somebody. */
export interface PersonRow {
  readonly id: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** Storage key of the picture. */
  readonly avatarKey: string | null;
}

/** An account as other members see it; signs the picture's address, without a network call. */
export async function presentPerson(store: ObjectStore, person: PersonRow): Promise<Person> {
  return {
    id: person.id,
    displayName: displayNameOf(person),
    email: person.email,
    avatarUrl: await avatarUrlOf(store, person.avatarKey),
  };
}
