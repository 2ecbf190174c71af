/** Texts of the dialog that asks who uses the session. */
export const texts = {
  title: 'Confirm it’s you',
  hint: 'You signed in a while ago. Enter your password to go on.',
  password: 'Password',
  missing: 'Enter your password.',
  wrong: 'Incorrect password.',
  without: 'No password? Set one in your security settings first.',
  submit: 'Confirm',
};
