import { withNames } from '../ui/with-names.ts';

/** Texts of the pages that need no session. */
export const texts = {
  tagline: 'Your team’s files and work, all in one place',
  fields: {
    email: 'Email',
    password: 'Password',
    newPassword: 'New password',
    firstName: 'First name',
    lastName: 'Last name',
  },
  problems: {
    email: 'Enter an email address, such as ada@example.com.',
    password: 'Enter your password.',
    newPassword: 'Use at least 8 characters.',
  },
  or: 'or',
  providers: {
    google: 'Continue with Google',
    github: 'Continue with GitHub',
    noStorage:
      'Your browser blocks site data, which this sign-in method needs. Allow it or use your password.',
  },
  login: {
    title: 'Sign in',
    submit: 'Sign in',
    forgot: 'Forgot your password?',
    noAccount: 'New here?',
    register: 'Create an account',
  },
  register: {
    title: 'Create an account',
    submit: 'Create account',
    hasAccount: 'Already have an account?',
    login: 'Sign in',
    sent: 'Check your inbox',
    sentTo: (email: string) => `We sent a link to ${email}. Open it to verify your address.`,
    sendAgain: 'Send the link again',
    sentAgain: 'We sent another link. Earlier ones no longer work.',
  },
  signIn: 'Sign in',
  toApp: 'Go to dashboard',
  verify: {
    title: 'Verify your email',
    verifying: 'Verifying your email…',
    done: 'Your email is verified',
    doneHint: (email: string) => `You can now sign in with ${email}.`,
    choose: 'Choose your password',
    chooseHint: (email: string) =>
      `${email} is verified. It was registered more than once with different passwords, perhaps not always by you. None of these passwords works anymore. Choose a new one now.`,
    failed: 'This link does not work',
    failedHint:
      'It may have expired or already been used. If your email is verified, sign in; if your password is not accepted, reset it. Otherwise, sign up again with the same address to get a new link.',
    missing: 'The link is incomplete',
    missingHint: 'Open it again from the email, or copy the whole link into the address bar.',
    interrupted: 'Your email couldn’t be verified yet',
    registerAgain: 'Sign up again',
  },
  forgot: {
    title: 'Reset your password',
    hint: 'We’ll email you a link to choose a new password.',
    submit: 'Send link',
    sent: 'Check your inbox',
    sentTo: (email: string) =>
      `If there is an account for ${email}, we sent a link to it. The link is valid for 30 minutes.`,
    otherAddress: 'Use another address',
    back: 'Back to sign in',
  },
  reset: {
    title: 'Choose a new password',
    checking: 'Checking your link…',
    hint: 'You will be signed out everywhere.',
    repeat: 'Repeat new password',
    revokeApiKeys: 'Revoke my API keys too',
    differs: 'The passwords don’t match.',
    submit: 'Save password',
    done: 'Password changed',
    doneHint: 'You have been signed out everywhere. Sign in with your new password.',
    failed: 'This link does not work',
    failedHint: 'A link works only once, for 30 minutes, and until you request a newer one.',
    interrupted: 'Your link couldn’t be checked',
    again: 'Send a new link',
  },
  keep: {
    title: 'Keep your account?',
    hint: 'You asked to have it deleted. If you keep it, everything stays as it is, and you can sign in again.',
    submit: 'Keep my account',
    done: 'Your account is kept',
    doneHint: (email: string) => `Nothing of ${email} will be deleted.`,
    failed: 'This link does not work',
    failedHint:
      'It works until the account is deleted, and only once. If you can sign in, nothing is going to be deleted.',
  },
  changeEmail: {
    title: 'Change your email?',
    hint: 'You will sign in with this address, and all other devices are signed out.',
    submit: 'Change my email',
    done: 'Your email is changed',
    doneHint: (email: string) =>
      `You now sign in with ${email}. The former address got a link that undoes this for 7 days.`,
    failed: 'This link does not work',
    failedHint:
      'It works once, for 24 hours, and until you ask for another one or change your password.',
  },
  undoEmailChange: {
    title: 'Undo the change of your email?',
    hint: 'Your account gets this address back. Everyone is signed out, and the password and recent passkeys stop working.',
    submit: 'Undo the change',
    done: 'Your email is back',
    doneHint: (email: string) =>
      `We sent a link to ${email}. Choose a new password with it, then sign in.`,
    failed: 'This link does not work',
    failedHint: 'It works once, for 7 days after the change.',
  },
  loading: {
    title: 'Signing you in…',
    failed: 'Sign-in failed',
    again: 'Back to sign in',
    missing: 'This page is the last step of signing in. Start on the sign-in page.',
    notStartedHere: 'This sign-in was not started here',
    notStartedHereHint:
      'A sign-in has to be completed in the tab where it was started. If you started it, try again. If someone sent you this link, ignore it: it would have signed you in to their account.',
    startAgain: 'Sign in again',
    commandLine: 'Signing in on the command line?',
    commandLineHint:
      'If you ran “atelier login” yourself, paste this code there. Never give it to anyone: it signs them in to your account.',
    stillSignedIn: 'You are still signed in',
    stillSignedInHint: (account: string) =>
      `The link you followed belongs to a sign-in that was not started in this tab, so it was ignored. You are still signed in as ${account}.`,
    toApp: 'Go to dashboard',
    otherAccount: 'Use another account',
    confirm: 'You are already signed in',
    confirmHint: (account: string) =>
      `You are signed in as ${account}. If you continue, the new sign-in replaces that session in every tab.`,
    continue: 'Continue with the new sign-in',
    stay: 'Keep the current session',
    unknownAccount: 'an account that couldn’t be loaded',
    reasons: {
      access_denied: 'You declined the sign-in at the provider. Nothing has changed.',
      invalid_state:
        'It took too long, was started in another browser or was completed twice. Trying again usually helps.',
      provider_error: 'The provider’s response couldn’t be verified.',
      provider_unavailable: 'The provider is not responding. Try again later.',
      email_unverified:
        'The provider has not verified your email address. Verify it there, or sign in with a password.',
      account_suspended: 'This account has been suspended.',
      email_changed:
        'The account with this email got it less than a week ago. Sign in the way you did before.',
      account_deletion_pending:
        'This account is about to be deleted. The link in your inbox keeps it.',
      server_error: 'Something went wrong on the server. Try again later.',
      unknown: 'Try again or choose another sign-in method.',
    },
  },
  invitation: {
    title: 'Invitation',
    heading: (organization: string) => `Join ${organization}`,
    from: (person: string) => `${person} invited you to join.`,
    facts: { to: 'Sent to', role: 'Role', until: 'Valid until' },
    signInFirst: 'To accept, sign in with that address or create an account for it.',
    register: 'Create an account',
    signedInAs: 'Signed in as',
    accept: 'Accept invitation',
    useOther: 'Use another account',
    accepted: (organization: string) => withNames`You are now in ${organization}.`,
    otherAccount: 'This invitation is for another account',
    otherAccountHint: (invited: string, own: string) =>
      `It was sent to ${invited}, but you are signed in as ${own}. Sign in with the other address to accept it.`,
    already: 'You are already a member',
    alreadyHint: 'There is nothing left to accept.',
    gone: 'This invitation is no longer valid',
    goneHint:
      'It has already been accepted, was revoked or is more than seven days old. Ask the person who invited you for a new one.',
    unknown: 'Invitation not found',
    unknownHint: 'The link may be incomplete, or a newer email has replaced it.',
    failed: 'The invitation couldn’t be loaded',
  },
  plans: {
    title: 'Plans',
    heading: 'A plan for every stage of your team',
    description: 'Start for free. Every plan has all features; only the limits differ.',
    isDefault: 'Starting plan',
    start: 'Create an account',
    toPlan: 'See your plan and usage',
    empty: 'No plans',
    emptyHint: 'This service doesn’t use plans.',
  },
};
