import type { Person } from '@atelier/contract';
import type { ObjectStore } from '../../ports/object-store.ts';
import { avatarUrlOf, displayNameOf } from './present-user.ts';

/** The columns of `users` that present a person. */
export interface PersonRow {
  readonly id: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** Storage key of the picture. */
  readonly avatarKey: string | null;
}

/** Presigned addresses of pictures, by their storage keys. */
export type PictureAddresses = ReadonlyMap<string, string>;

/** Signs each picture once, however often it appears; without a network call. */
export async function pictureAddressesOf(
  store: ObjectStore,
  people: Iterable<Pick<PersonRow, 'avatarKey'>>,
): Promise<PictureAddresses> {
  const addresses = new Map<string, string>();
  for (const { avatarKey } of people) {
    if (avatarKey === null || addresses.has(avatarKey)) continue;
    const address = await avatarUrlOf(store, avatarKey);
    if (address !== null) addresses.set(avatarKey, address);
  }
  return addresses;
}

/** @returns the address of a person's picture; null without one */
export function pictureOf(
  { avatarKey }: Pick<PersonRow, 'avatarKey'>,
  pictures: PictureAddresses,
): string | null {
  return avatarKey === null ? null : (pictures.get(avatarKey) ?? null);
}

/** Presents an account to other members. */
export function shownPerson(person: PersonRow, pictures: PictureAddresses): Person {
  return {
    id: person.id,
    displayName: displayNameOf(person),
    email: person.email,
    avatarUrl: pictureOf(person, pictures),
  };
}

/** {@link shownPerson} for a single person. */
export async function presentPerson(store: ObjectStore, person: PersonRow): Promise<Person> {
  return shownPerson(person, await pictureAddressesOf(store, [person]));
}
