import { z } from 'zod/v4';
import { NotificationReason } from './notification-reasons.ts';
import { Id } from './primitives.ts';

/** Maximum number of organizations that preferences name. */
export const maxPreferredOrganizations = 200;

export const MailSetting = z.enum(['OFF', 'INSTANT', 'DIGEST']).meta({
  id: 'MailSetting',
  description:
    'INSTANT: mailed a minute later, unless it was read by then. DIGEST: in the next summary.',
  examples: ['INSTANT'],
});
export type MailSetting = z.infer<typeof MailSetting>;

export const NotificationSetting = z
  .object({ inbox: z.boolean(), mail: MailSetting })
  .refine(({ inbox, mail }) => inbox || mail === 'OFF', {
    error: 'Nothing is mailed that the inbox does not have: expected OFF',
    path: ['mail'],
  })
  .meta({
    id: 'NotificationSetting',
    description: 'Where a reason notifies. What the inbox does not have is not mailed either.',
    examples: [{ inbox: true, mail: 'DIGEST' }],
  });
export type NotificationSetting = z.infer<typeof NotificationSetting>;

/** Of an invitation: only its mail has the link. */
const MailedInvitation = z.object({ inbox: z.boolean(), mail: z.literal('INSTANT') });
/** Of the security of the account. */
const AlwaysOn = z.object({ inbox: z.literal(true), mail: z.literal('INSTANT') });

const settings = {
  mentioned: NotificationSetting,
  assigned: NotificationSetting,
  unassigned: NotificationSetting,
  commented: NotificationSetting,
  changed: NotificationSetting,
  due_soon: NotificationSetting,
  overdue: NotificationSetting,
  invited: MailedInvitation.describe('An invitation is always mailed, because it has the link.'),
  role_changed: NotificationSetting,
  removed: NotificationSetting,
  share_guessing: NotificationSetting,
  shared_opened: NotificationSetting,
  integration_failing: NotificationSetting,
  security: AlwaysOn.describe('Always on.'),
} satisfies Record<NotificationReason, z.ZodType>;

/** What applies to a reason that preferences don't name. */
export const defaultSettings = {
  mentioned: { inbox: true, mail: 'INSTANT' },
  assigned: { inbox: true, mail: 'INSTANT' },
  unassigned: { inbox: true, mail: 'OFF' },
  commented: { inbox: true, mail: 'DIGEST' },
  changed: { inbox: true, mail: 'DIGEST' },
  due_soon: { inbox: true, mail: 'DIGEST' },
  overdue: { inbox: true, mail: 'DIGEST' },
  invited: { inbox: true, mail: 'INSTANT' },
  role_changed: { inbox: true, mail: 'INSTANT' },
  removed: { inbox: true, mail: 'INSTANT' },
  share_guessing: { inbox: true, mail: 'INSTANT' },
  shared_opened: { inbox: true, mail: 'OFF' },
  integration_failing: { inbox: true, mail: 'INSTANT' },
  security: { inbox: true, mail: 'INSTANT' },
} as const satisfies Record<NotificationReason, NotificationSetting>;

export const TimeZone = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][\w+/-]*$/, { error: 'Invalid time zone', abort: true })
  .refine(isKnownTimeZone, { error: 'Unknown time zone' })
  .meta({
    id: 'TimeZone',
    description: 'Name of a time zone, as the IANA database has it.',
    examples: ['Europe/Lisbon'],
  });

export const DigestSettings = z
  .object({
    frequency: z.enum(['OFF', 'DAILY', 'WEEKLY']),
    hour: z.int().min(0).max(23).describe('The hour of the day, in the time zone.'),
    weekday: z.int().min(1).max(7).describe('Of a WEEKLY one; 1 is Monday.'),
    timeZone: TimeZone,
  })
  .meta({
    id: 'DigestSettings',
    description: 'When the summary of what is unread is mailed.',
    examples: [{ frequency: 'DAILY', hour: 8, weekday: 1, timeZone: 'Europe/Lisbon' }],
  });
export type DigestSettings = z.infer<typeof DigestSettings>;

/** The digest of a person who has chosen none. */
export const defaultDigest = {
  frequency: 'DAILY',
  hour: 8,
  weekday: 1,
  timeZone: 'UTC',
} as const satisfies DigestSettings;

export const OrganizationLevel = z.enum(['ALL', 'MENTIONS', 'NONE']).meta({
  id: 'OrganizationLevel',
  description:
    'What an organization notifies of: everything, mentions, or nothing. Security, invitations, and changes of the own membership always come.',
  examples: ['MENTIONS'],
});
export type OrganizationLevel = z.infer<typeof OrganizationLevel>;

const expectedOrganizations = `Expected ids of at most ${maxPreferredOrganizations} organizations`;

const Organizations = z
  .record(z.string(), OrganizationLevel)
  .refine(isByOrganization, { error: expectedOrganizations })
  .describe('By id of the organization; one that is not named: ALL.');

const Unsubscribed = z
  .record(z.string(), z.array(NotificationReason).max(32))
  .refine(isByOrganization, { error: expectedOrganizations })
  .describe(
    'Reasons of which an organization sends no mail any more, because its link for that was used. By id of the organization.',
  );

export const NotificationPreferences = z
  .object({
    reasons: z.object(settings),
    digest: DigestSettings,
    organizations: Organizations,
    unsubscribed: Unsubscribed,
  })
  .meta({
    id: 'NotificationPreferences',
    description: 'What a person is notified of, and how.',
    examples: [
      {
        reasons: defaultSettings,
        digest: { frequency: 'DAILY', hour: 8, weekday: 1, timeZone: 'Europe/Lisbon' },
        organizations: { '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11': 'MENTIONS' },
        unsubscribed: {},
      },
    ],
  });
export type NotificationPreferences = z.infer<typeof NotificationPreferences>;

export const NotificationPreferencesBody = z
  .object({
    reasons: z.object(settings).partial().describe('An absent one gets its default.'),
    digest: DigestSettings,
    organizations: Organizations,
    unsubscribed: Unsubscribed,
  })
  .meta({
    id: 'NotificationPreferencesBody',
    description: 'The complete preferences.',
    examples: [
      {
        reasons: { commented: { inbox: true, mail: 'OFF' } },
        digest: { frequency: 'WEEKLY', hour: 8, weekday: 1, timeZone: 'Europe/Lisbon' },
        organizations: {},
        unsubscribed: {},
      },
    ],
  });

/** Where a person wants to be notified of something in an organization. */
export function settingIn(
  { reasons, organizations, unsubscribed }: NotificationPreferences,
  reason: NotificationReason,
  organizationId: string,
): NotificationSetting {
  if (isMutedBy(organizations[organizationId] ?? 'ALL', reason)) {
    return { inbox: false, mail: 'OFF' };
  }
  const { inbox, mail } = reasons[reason];
  const isUnsubscribed = unsubscribed[organizationId]?.includes(reason) && reason !== 'security';
  return { inbox, mail: isUnsubscribed ? 'OFF' : mail };
}

/** What concerns the person more than the organization. */
const alwaysTold: ReadonlySet<NotificationReason> = new Set([
  'invited',
  'role_changed',
  'removed',
  'security',
]);

function isMutedBy(level: OrganizationLevel, reason: NotificationReason): boolean {
  if (level === 'ALL' || alwaysTold.has(reason)) return false;
  return level === 'NONE' || reason !== 'mentioned';
}

/** What the check of a time zone needs of Temporal, which some browsers and older releases of Node lack. */
interface WithTemporal {
  readonly Temporal?: {
    readonly Instant: {
      fromEpochMilliseconds(ms: number): { toZonedDateTimeISO(timeZone: string): unknown };
    };
  };
}

/** Digests are computed with Temporal, which refuses some legacy names that Intl accepts, such as PST. */
function isKnownTimeZone(timeZone: string): boolean {
  const { Temporal: temporal } = globalThis as WithTemporal;
  try {
    temporal?.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone);
    return new Intl.DateTimeFormat('en', { timeZone }).format() !== '';
  } catch {
    return false;
  }
}

function isByOrganization(value: Readonly<Record<string, unknown>>): boolean {
  const ids = Object.keys(value);
  return ids.length <= maxPreferredOrganizations && ids.every((id) => Id.safeParse(id).success);
}
