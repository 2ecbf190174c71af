/** Words about being logged in, and about organizations. */
export const texts = {
  accessEnded: 'You no longer have access to that organization. This is your personal one.',
  ended: {
    expired: 'Your session has ended. Sign in to go on where you were.',
    elsewhere: 'You signed out in another tab.',
    own: 'You are signed out.',
  },
};
