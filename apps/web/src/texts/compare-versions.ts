/** Texts of two versions of a picture, side by side. */
export const texts = {
  openLabel: (number: number) => `Compare version ${number} with the current one`,
  title: (one: number, other: number) => `Version ${one} and version ${other}`,
  slider: 'How much of the earlier version is shown',
  version: (number: number) => `Version ${number}`,
  failed: 'The picture can’t be shown.',
};
