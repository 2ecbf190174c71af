import { withNames } from '../ui/with-names.ts';

export const texts = {
  title: 'Organization',
  description: (name: string) => `Settings for ${name}`,
  general: {
    title: 'Name',
    hint: 'Shown to members when they switch organizations and to invited people in their email.',
    name: 'Name',
    missing: 'Enter a name.',
    submit: 'Rename',
    saved: (name: string) => withNames`Renamed to ${name}.`,
    changedByOther: 'Someone else just renamed it. Check the name and try again.',
  },
  assistants: {
    title: 'Assistants',
    hint: 'Decide on calls of AI assistants that delete something or show data to outsiders.',
    approvals: 'Approvals',
  },
  webhooks: {
    title: 'Webhooks',
    hint: 'Send signed messages to your servers when something happens here.',
    manage: 'Manage webhooks',
  },
  publicAccess: {
    title: 'Public',
    hint: 'See and end every link that shows something to people without an account.',
    manage: 'Show what is public',
  },
  automation: {
    title: 'API access',
    hint: 'Choose which programs work in this team, and with which keys.',
    serviceAccounts: 'Service accounts',
    memberKeys: 'API keys of members',
  },
  publicLinks: {
    title: 'Public links',
    hint: 'Anyone with a file’s public link can open the file without an account.',
    label: 'Public links',
    choices: {
      OFF_FOR_NEW: 'Off for new files',
      ON_FOR_NEW: 'On for new files',
      FORBIDDEN: 'Not allowed',
    },
    explanations: {
      OFF_FOR_NEW:
        'New files are for members only. Members can turn on a link for individual files.',
      ON_FOR_NEW:
        'Every new file gets a public link. Members can turn it off for individual files.',
      FORBIDDEN: 'Public links don’t work, and members can’t turn them on.',
    },
    submit: 'Save',
    saved: 'Public link setting saved.',
    changedByOther: 'Someone else just changed this. Check the setting and try again.',
  },
  mailContent: {
    title: 'Content of emails',
    hint: 'What the emails about mentions, assignments and comments tell. Mailboxes may be read outside of the team.',
    label: 'Content of emails',
    choices: {
      FULL: 'Comments and titles',
      TITLES: 'Titles only',
      NONE: 'Neither',
    },
    explanations: {
      FULL: 'Emails quote comments, and name tasks and projects.',
      TITLES: 'Emails name tasks and projects, and quote nothing.',
      NONE: 'Emails say that something is new, and link to it.',
    },
    submit: 'Save',
    saved: 'Content of emails saved.',
    changedByOther: 'Someone else just changed this. Check the setting and try again.',
  },
  security: {
    title: 'Second factor',
    hint: 'Require an authenticator app or another second factor of all members.',
    since: (date: string) =>
      `Members without a second factor can’t open this team from ${date} on.`,
    required: 'Members now need a second factor.',
    notRequired: 'Members no longer need a second factor.',
    asking: {
      title: 'Require a second factor?',
      text: 'Members without one get an email. In 14 days they can’t open this team until they add one, nor can their API keys. Service accounts are not affected.',
      action: 'Require it',
    },
    ending: {
      title: 'Stop requiring a second factor?',
      text: 'Members can open this team with a password alone.',
      action: 'Stop requiring it',
    },
  },
  facts: {
    title: 'About',
    type: 'Type',
    types: { PERSONAL: 'Personal', TEAM: 'Team' },
    slug: 'Short name',
    members: 'Members',
    plan: 'Plan',
    role: 'Your role',
    created: 'Created',
    timeline: 'View timeline',
  },
  leave: {
    title: 'Leave',
    hint: 'You lose access immediately. Your work stays in the team.',
    action: 'Leave the team',
  },
  remove: {
    title: 'Delete',
    hint: 'All members lose access immediately. Projects and files are permanently deleted after 30 days.',
    action: 'Delete the team',
    confirm: (name: string) => withNames`Delete ${name}?`,
    text: 'All members lose access immediately. You can’t undo this here.',
    done: (name: string) => withNames`${name} has been deleted.`,
  },
};
