import {
  defaultDigest,
  defaultSettings,
  NotificationPreferences,
  type NotificationSetting,
} from '@atelier/contract';
import { bodyOf, callerOf } from '../state/call.ts';
import { eTagOf, expectUnchanged } from '../state/etags.ts';
import type { Call } from '../state/model.ts';
import type { Fields, Stored } from '../state/store.ts';

/** Returns what an account is notified of. */
export function preferencesOf({ hidden }: Pick<Stored, 'hidden'>): NotificationPreferences {
  const set = hidden['notificationPreferences'] as NotificationPreferences | undefined;
  const initial = { digest: defaultDigest, organizations: {}, unsubscribed: {} };
  return set ?? { reasons: defaultSettings, ...initial };
}

/** Sets whether assignments and mentions are mailed, as the profile does. */
export function setMailNotices({ fields, hidden }: Stored): void {
  const preferences = preferencesOf({ hidden });
  const { assigned, mentioned } = preferences.reasons;
  const change = (setting: NotificationSetting): NotificationSetting =>
    fields['mailNotices'] === true ? { inbox: true, mail: 'INSTANT' } : { ...setting, mail: 'OFF' };
  hidden['notificationPreferences'] = {
    ...preferences,
    reasons: {
      ...preferences.reasons,
      assigned: change(assigned),
      mentioned: change(mentioned),
    },
  };
}

/** Sets what the caller is notified of; what the profile shows of it, too. */
export function setPreferences(call: Call): NotificationPreferences {
  const eTag = eTagOf(NotificationPreferences, preferencesOf(callerOf(call)));
  expectUnchanged(call.request.headers['if-match'], eTag);
  const { reasons, ...rest } = bodyOf(call) as Omit<NotificationPreferences, 'reasons'> & {
    reasons: Fields;
  };
  const preferences = { ...rest, reasons: { ...defaultSettings, ...reasons } };
  const { fields, hidden } = callerOf(call);
  hidden['notificationPreferences'] = preferences;
  const { assigned, mentioned } = preferences.reasons as NotificationPreferences['reasons'];
  fields['mailNotices'] = assigned.mail !== 'OFF' || mentioned.mail !== 'OFF';
  call.activities = [];
  return preferences;
}
