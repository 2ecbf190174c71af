import { deletedAddressSuffix, deletedPersonName, type User } from '@atelier/contract';
import type { ObjectStore } from '../../ports/object-store.ts';
import type { CurrentUser, OwnAccount } from '../../kernel/context.ts';

/** Minimum lifetime of a picture's address in seconds. */
const avatarUrlSeconds = 60 * 60;
/** Seconds for which it stays the same, for the caches of browsers. */
const avatarUrlSteadySeconds = 30 * 60;

/** Presents an account to its owner; signs the address of its picture, without a network call. */
export async function presentUser(store: ObjectStore, user: OwnAccount): Promise<User> {
  return {
    id: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    displayName: displayNameOf(user),
    avatarUrl: await avatarUrlOf(store, user.avatarKey),
    accountStatus: user.accountStatus,
    platformRole: user.platformRole,
    mailNotices: user.mailNotices,
    mailSignIns: user.mailSignIns,
    personalOrganizationId: user.personalOrganizationId,
    createdAt: user.createdAt,
    updatedAt: user.updatedAt,
  };
}

/** Returns first and last name, or the part of the email before the @; the same name for all deleted accounts. */
export function displayNameOf(user: Pick<CurrentUser, 'firstName' | 'lastName' | 'email'>): string {
  if (user.email.endsWith(deletedAddressSuffix)) return deletedPersonName;
  const fullName = [user.firstName, user.lastName].filter((name) => name !== null).join(' ');
  return fullName || user.email.slice(0, user.email.indexOf('@'));
}

/** @returns a presigned address with a lifetime of at least an hour; null without a picture */
export async function avatarUrlOf(store: ObjectStore, key: string | null): Promise<string | null> {
  if (key === null) return null;
  return store.presignDownload({
    key,
    expiresInSeconds: avatarUrlSeconds,
    steadyForSeconds: avatarUrlSteadySeconds,
    fileName: 'avatar.webp',
    contentType: 'image/webp',
    detectedType: 'image/webp',
    disposition: 'inline',
  });
}
