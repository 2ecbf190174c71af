import { User } from '@atelier/contract';
import type { Deps } from '../../deps.ts';
import { aboutUser, recordAccountActivity } from '../../domain/activity.ts';
import type { UserContext } from '../../kernel/context.ts';
import { assertUnchanged } from '../../kernel/etag.ts';
import { presentUser } from '../../domain/person-view/present-user.ts';
import { enqueueJob } from '../../domain/job-queue.ts';
import { mutate } from '../../domain/transaction.ts';
import { withNotices } from '../../domain/notification-preferences/preferences.ts';
import {
  lockPreferences,
  updatePreferences,
} from '../../domain/notification-preferences/queries.ts';
import { profileAfter, type WantedProfile } from './policy.ts';
import { lockProfile, updateProfile } from './queries.ts';

/** Manages the caller's own account. */
export function profileUseCases({ db, clock, store }: Deps) {
  return {
    /** Changes the given fields. No-op when unchanged, without an activity. */
    async update(wanted: WantedProfile, ctx: UserContext): Promise<User> {
      const now = clock.now();
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockProfile(tx, ctx.user.id);
        if (!current) throw new Error('the account behind a session is gone');
        const account = { ...ctx.user, ...current };
        assertUnchanged(ctx, User, await presentUser(store, account));
        const { fields, changes } = profileAfter(current, wanted);
        if (changes.length === 0) return presentUser(store, account);
        await updateProfile(tx, { userId: ctx.user.id, ...fields, now });
        if (fields.mailNotices !== current.mailNotices) {
          const key = { userId: ctx.user.id, now };
          const preferences = await lockPreferences(tx, key);
          if (!preferences) throw new Error('the account behind a session is gone');
          const changed = withNotices(preferences, fields.mailNotices);
          await updatePreferences(tx, { ...key, preferences: changed });
        }
        await enqueueJob(tx, 'index_person', { userId: ctx.user.id });
        await recordAccountActivity(tx, {
          ...aboutUser(ctx.user, ctx, now),
          action: 'user.update_profile',
          changes,
        });
        return presentUser(store, { ...account, ...fields, updatedAt: now.toISOString() });
      });
    },
  };
}
