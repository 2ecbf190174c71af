export const texts = {
  title: 'Bin',
};
