export const texts = {
  copied: 'Copied to clipboard.',
  failed: 'Your browser blocked copying. Select the text and copy it yourself.',
};
