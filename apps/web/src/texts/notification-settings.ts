import type {
  DigestSettings,
  MailSetting,
  NotificationReason,
  OrganizationLevel,
} from '@atelier/client';

/** Texts of the page on which people choose what they are notified of. */
export const texts = {
  title: 'Notification settings',
  description: 'What reaches you, and how',
  reasons: {
    title: 'What you are notified of',
    hint: 'What the inbox does not have is not mailed either. Instant mails wait a minute, and are not sent if you have read it by then.',
    what: 'About',
    inbox: 'Inbox',
    mail: 'Email',
    inInbox: (what: string) => `${what}: in the inbox`,
    byMail: (what: string) => `${what}: by email`,
    always: 'Always on',
    groups: {
      you: 'You',
      followed: 'Tasks and files you follow',
      account: 'Your teams and your account',
    },
    names: {
      mentioned: 'Mentions',
      assigned: 'Assigned to you',
      unassigned: 'No longer assigned to you',
      commented: 'Comments',
      changed: 'Changes',
      due_soon: 'Due soon',
      overdue: 'Overdue',
      invited: 'Invitations',
      role_changed: 'Your role',
      removed: 'Your membership ends',
      share_guessing: 'Passwords of your links are guessed',
      shared_opened: 'Your links are opened',
      integration_failing: 'Integrations fail',
      security: 'Security of your account',
    } satisfies Record<NotificationReason, string>,
    hints: {
      mentioned: 'Someone writes @ and your name',
      assigned: 'Someone gives you a task',
      unassigned: 'Someone takes a task off you',
      commented: 'Someone writes a comment',
      changed: 'The status, the due date or the review changes',
      due_soon: 'A day before the due date',
      overdue: 'The due date has passed',
      invited: 'Only the email has the link to join',
      role_changed: 'Someone changes what you may do in a team',
      removed: 'Someone removes you from a team',
      share_guessing: 'Many wrong passwords for a link that you made',
      shared_opened: 'The first time that someone opens a link that you made',
      integration_failing: 'A webhook fails, or an API key ends',
      security: 'Such as a new sign-in or a new password',
    } satisfies Record<NotificationReason, string>,
    mails: { OFF: 'Off', INSTANT: 'Instant', DIGEST: 'Summary' } satisfies Record<
      MailSetting,
      string
    >,
  },
  digest: {
    title: 'Summary by email',
    hint: 'One email with what you have not read. Nothing is sent if there is nothing.',
    frequency: 'How often',
    frequencies: { OFF: 'Never', DAILY: 'Every day', WEEKLY: 'Every week' } satisfies Record<
      DigestSettings['frequency'],
      string
    >,
    weekday: 'On',
    hour: 'At',
    timeZone: 'Time zone',
    useDevice: (zone: string) => `Use ${zone}`,
    deviceHint: 'This device is in another time zone.',
  },
  organizations: {
    title: 'Organizations',
    hint: 'Invitations, your role and your account’s security always reach you.',
    label: (name: string) => `Notifications of ${name}`,
    levels: { ALL: 'Everything', MENTIONS: 'Mentions only', NONE: 'Nothing' } satisfies Record<
      OrganizationLevel,
      string
    >,
    unsubscribed: (reasons: string) => `You switched off its mails by a link: ${reasons}`,
    resubscribe: 'Allow them again',
  },
  unsaved: 'You have unsaved changes.',
  discard: 'Discard',
  saved: 'Your settings are saved.',
  conflict: 'These settings have changed in the meantime, in another tab or on another device.',
  conflictHint: 'Nothing of yours was saved. Load the current settings, and change them again.',
  load: 'Load the current settings',
};
