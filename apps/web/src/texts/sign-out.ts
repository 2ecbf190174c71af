/** Texts about signing out with unsent changes. */
export const texts = {
  title: (count: number) => (count === 0 ? 'Sign out?' : 'Sign out and lose unsent changes?'),
  lost: (count: number) => {
    if (count === 0) return 'Everything has been sent meanwhile.';
    return count === 1
      ? '1 change is only on this device. Signing out deletes it.'
      : `${count} changes are only on this device. Signing out deletes them.`;
  },
  action: (count: number) => (count === 0 ? 'Sign out' : 'Sign out and delete'),
};
