import { NotificationPreferences, type NotificationPreferencesBody } from '@atelier/contract';
import type { z } from 'zod';
import type { Deps } from '../../deps.ts';
import {
  hasEnded,
  preferencesOf,
  withoutMails,
} from '../../domain/notification-preferences/preferences.ts';
import {
  findPreferences,
  lockPreferences,
  updatePreferences,
} from '../../domain/notification-preferences/queries.ts';
import { mutate } from '../../domain/transaction.ts';
import type { UserContext } from '../../kernel/context.ts';
import { assertUnchanged } from '../../kernel/etag.ts';
import { createUnsubscribeTokens } from '../../kernel/unsubscribe-tokens.ts';

/** Lets people choose what they are notified of. */
export function preferenceUseCases({ db, clock, keys }: Pick<Deps, 'db' | 'clock' | 'keys'>) {
  const tokens = createUnsubscribeTokens(keys.unsubscribing);

  return {
    find({ user }: UserContext): Promise<NotificationPreferences> {
      return findPreferences(db, user.id);
    },

    /** @throws Failure `precondition_failed` (412) */
    async set(wanted: z.output<typeof NotificationPreferencesBody>, ctx: UserContext) {
      const key = { userId: ctx.user.id, now: clock.now() };
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockPreferences(tx, key);
        if (!current) throw new Error('the account behind a session is gone');
        assertUnchanged(ctx, NotificationPreferences, current);
        const preferences = preferencesOf(wanted);
        await updatePreferences(tx, { ...key, preferences });
        return preferences;
      });
    },

    /** Ends a kind of mail. No-op for a token that the service didn't make, or whose account has ended. */
    async unsubscribe(token: string | undefined): Promise<void> {
      const subscription = tokens.read(token ?? '');
      if (!subscription) return;
      const key = { userId: subscription.userId, now: clock.now() };
      // A link may be in the hands of many, and its requests have no limit.
      if (hasEnded(await findPreferences(db, key.userId), subscription)) return;
      await db.transaction(async (tx) => {
        const current = await lockPreferences(tx, key);
        if (!current || hasEnded(current, subscription)) return;
        await updatePreferences(tx, { ...key, preferences: withoutMails(current, subscription) });
      });
    },
  };
}
