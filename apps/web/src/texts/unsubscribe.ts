/** Texts of the page that the link at the end of a mail opens. They never depend on the token. */
export const texts = {
  title: 'Stop these emails?',
  hint: 'You get no more emails of this kind. Your notifications in the app stay as they are.',
  submit: 'Stop these emails',
  done: {
    title: 'These emails are switched off',
    hint: 'The link switched off the kind of email that it came with, and nothing else. One that is on its way may still arrive. In your settings you can switch them on again.',
  },
  incomplete: {
    title: 'This link is incomplete',
    hint: 'Open it from the email again, or choose your emails in your settings.',
  },
  settings: 'Notification settings',
};
