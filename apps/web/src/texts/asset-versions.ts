/** Texts of the versions of an asset. */
export const texts = {
  upload: 'Upload a new version',
  hint: 'Earlier versions are kept. Restoring one adds it as the newest version.',
  name: (number: number) => `Version ${number}`,
  current: 'Current',
  restoredFrom: (number: number) => `Same content as version ${number}`,
  download: (number: number) => `Download version ${number}`,
  restore: 'Restore',
  restoreLabel: (number: number) => `Restore version ${number}`,
  restored: (number: number, now: number) => `Version ${number} was restored as version ${now}.`,
  unchanged: (number: number) => `Version ${number} already has the current content.`,
};
