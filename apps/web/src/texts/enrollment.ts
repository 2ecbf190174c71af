/** Texts for members of an organization that requires a second factor, which they don't have. */
export const texts = {
  soon: (name: string, date: string) =>
    `${name} requires a second factor from ${date} on. Set one up to keep your access.`,
  now: (name: string) => `${name} requires a second factor. Set one up to open it again.`,
  action: 'Set up a second factor',
};
