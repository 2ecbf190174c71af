import { isDeepStrictEqual } from 'node:util';
import {
  defaultDigest,
  defaultSettings,
  DigestSettings,
  NotificationPreferences,
  notificationReasons,
  OrganizationLevel,
  settingIn,
  type NotificationReason,
  type NotificationSetting,
} from '@atelier/contract';

/** Preferences as they are stored: what another release wrote may be missing or unknown. */
export type StoredPreferences = Readonly<Record<string, unknown>>;

const { shape: settingOf } = NotificationPreferences.shape.reasons;

/** Completes stored preferences: what is missing or unknown gets its default. */
export function preferencesOf(stored: StoredPreferences): NotificationPreferences {
  const named = recordOf(stored['reasons']);
  const settings = notificationReasons.map((reason) => {
    const { success, data } = settingOf[reason].safeParse(named[reason]);
    return [reason, success ? data : defaultSettings[reason]] as const;
  });
  const digest = DigestSettings.safeParse(stored['digest']);
  return {
    reasons: Object.fromEntries(settings) as NotificationPreferences['reasons'],
    digest: digest.success ? digest.data : defaultDigest,
    organizations: Object.fromEntries(
      Object.entries(recordOf(stored['organizations'])).flatMap(([id, value]) => {
        const { success, data } = OrganizationLevel.safeParse(value);
        return success ? [[id, data]] : [];
      }),
    ),
    unsubscribed: Object.fromEntries(
      Object.entries(recordOf(stored['unsubscribed'])).map(([id, value]) => [
        id,
        notificationReasons.filter((reason) => Array.isArray(value) && value.includes(reason)),
      ]),
    ),
  };
}

/** Whether a person wants mail at once about something in an organization. */
export function isMailedAtOnce(
  preferences: NotificationPreferences,
  reason: NotificationReason,
  organizationId: string,
): boolean {
  return settingIn(preferences, reason, organizationId).mail === 'INSTANT';
}

/** Whether assignments or mentions are mailed, as the profile shows it. */
export function mailsNotices({ reasons: { assigned, mentioned } }: NotificationPreferences) {
  return assigned.mail !== 'OFF' || mentioned.mail !== 'OFF';
}

/** Sets whether assignments and mentions are mailed, as the profile does. */
export function withNotices(
  preferences: NotificationPreferences,
  isMailed: boolean,
): NotificationPreferences {
  const change = (setting: NotificationSetting): NotificationSetting =>
    isMailed ? { inbox: true, mail: 'INSTANT' } : { ...setting, mail: 'OFF' };
  const { assigned, mentioned } = preferences.reasons;
  const reasons = {
    ...preferences.reasons,
    assigned: change(assigned),
    mentioned: change(mentioned),
  };
  return { ...preferences, reasons };
}

/** Ends the mails of one reason and organization, or the digest. */
export function withoutMails(
  preferences: NotificationPreferences,
  {
    reason,
    organizationId,
  }: { reason: NotificationReason | 'digest'; organizationId: string | null },
): NotificationPreferences {
  if (reason === 'digest' || organizationId === null) {
    return { ...preferences, digest: { ...preferences.digest, frequency: 'OFF' } };
  }
  const ended = new Set([...(preferences.unsubscribed[organizationId] ?? []), reason]);
  return {
    ...preferences,
    unsubscribed: { ...preferences.unsubscribed, [organizationId]: [...ended] },
  };
}

/** Whether {@link withoutMails} would change nothing. */
export function hasEnded(
  preferences: NotificationPreferences,
  subscription: Parameters<typeof withoutMails>[1],
): boolean {
  return isDeepStrictEqual(withoutMails(preferences, subscription), preferences);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
