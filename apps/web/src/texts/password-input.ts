export const texts = {
  show: 'Show characters',
};
