/** Words of the pages that need no session. */
export const texts = {
  tagline: 'Files and work of a team, in one calm place.',
  fields: {
    email: 'Email',
    password: 'Password',
    newPassword: 'New password',
    passwordHint: 'At least 8 characters. A few words are best.',
    firstName: 'First name',
    lastName: 'Last name',
  },
  problems: {
    email: 'Enter an email address, such as ada@example.com.',
    password: 'Enter your password.',
    newPassword: 'Use at least 8 characters.',
  },
  or: 'or',
  providers: { google: 'Continue with Google', github: 'Continue with GitHub' },
  login: {
    title: 'Sign in',
    submit: 'Sign in',
    forgot: 'Forgot your password?',
    noAccount: 'New here?',
    register: 'Create an account',
    pending: 'Verify your email first. We sent you a link when you registered.',
    failed: 'Signing in did not work. Try again, or choose another way.',
  },
  register: {
    title: 'Create an account',
    submit: 'Create account',
    hasAccount: 'Have an account already?',
    login: 'Sign in',
    sent: 'Check your inbox',
    sentTo: (email: string) => `We sent a link to ${email}. Open it to verify your address.`,
  },
  verify: {
    title: 'Verify your email',
    verifying: 'Verifying your email…',
    done: 'Your email is verified',
    doneHint: 'You can sign in now.',
    failed: 'This link does not work',
    failedHint:
      'It may have expired or been used already. If your email is verified, just sign in; otherwise register again with the same address to get a new link.',
  },
  forgot: {
    title: 'Reset your password',
    hint: 'We send you a link to choose a new one.',
    submit: 'Send the link',
    sent: 'Check your inbox',
    sentTo: (email: string) =>
      `If there is an account for ${email}, a link is on its way. It works for 30 minutes.`,
    back: 'Back to sign in',
  },
  reset: {
    title: 'Choose a new password',
    hint: 'You will be signed out everywhere.',
    submit: 'Save the password',
    done: 'Your password is changed',
    doneHint: 'Sign in with the new one.',
    failed: 'This link does not work',
    again: 'Send a new link',
  },
  loading: { title: 'Signing you in…', failed: 'Signing in did not work' },
  invitation: {
    title: 'Invitation',
    heading: (organization: string) => `Join ${organization}`,
  },
  plans: { title: 'Plans' },
};
