/** Texts about the session and the selected organization. */
export const texts = {
  accessEnded:
    'You no longer have access to that organization. You are now in your personal organization.',
  ended: {
    expired: 'Your session has ended. Sign in to continue where you left off.',
    elsewhere: 'You signed out in another tab.',
    own: 'You have signed out.',
  },
};
