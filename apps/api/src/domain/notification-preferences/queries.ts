import { type NotificationPreferences } from '@atelier/contract';
import { and, eq, inArray, ne } from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/executor.ts';
import { notificationPreferences, users } from '../../db/generated/schema.ts';
import { lockAccountRow } from '../authority/queries.ts';
import { mailsNotices, preferencesOf } from './preferences.ts';

const columns = {
  userId: notificationPreferences.userId,
  settings: notificationPreferences.settings,
};

export async function findPreferences(
  db: Executor,
  userId: string,
): Promise<NotificationPreferences> {
  const [row] = await db
    .select(columns)
    .from(notificationPreferences)
    .where(eq(notificationPreferences.userId, userId));
  return preferencesOf(row?.settings ?? {});
}

/** @returns the preferences of each of these people */
export async function findPreferencesOf(
  db: Executor,
  userIds: readonly string[],
): Promise<Map<string, NotificationPreferences>> {
  const rows = await db
    .select(columns)
    .from(notificationPreferences)
    .where(inArray(notificationPreferences.userId, [...userIds]));
  const stored = new Map(rows.map(({ userId, settings }) => [userId, settings]));
  return new Map(userIds.map((userId) => [userId, preferencesOf(stored.get(userId) ?? {})]));
}

/**
 * Locks the preferences of a person until the transaction ends, after the account: the profile has a part of them.
 *
 * @returns null if the account has ended
 */
export async function lockPreferences(
  tx: Transaction,
  { userId, now }: { userId: string; now: Date },
): Promise<NotificationPreferences | null> {
  await lockAccountRow(tx, userId);
  const [account] = await tx
    .select({ accountStatus: users.accountStatus })
    .from(users)
    .where(eq(users.id, userId));
  if (account?.accountStatus !== 'VERIFIED') return null;
  const none = { userId, settings: {}, updatedAt: now };
  await tx.insert(notificationPreferences).values(none).onConflictDoNothing();
  const [row] = await tx
    .select(columns)
    .from(notificationPreferences)
    .where(eq(notificationPreferences.userId, userId))
    .for('no key update');
  return preferencesOf(row?.settings ?? {});
}

/** Only under {@link lockPreferences}. Also sets what the profile shows of them, which each request reads. */
export async function updatePreferences(
  tx: Transaction,
  { userId, preferences, now }: { userId: string; preferences: NotificationPreferences; now: Date },
): Promise<void> {
  await tx
    .update(notificationPreferences)
    .set({ settings: preferences, updatedAt: now })
    .where(eq(notificationPreferences.userId, userId));
  const mailNotices = mailsNotices(preferences);
  await tx
    .update(users)
    .set({ mailNotices })
    .where(and(eq(users.id, userId), ne(users.mailNotices, mailNotices)));
}
