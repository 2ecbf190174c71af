/** Texts of a text file that is shown. */
export const texts = {
  truncated: (size: string) => `Showing the first ${size}. Download the file to see the rest.`,
  emptyFile: 'This file is empty.',
};
