export const texts = {
  title: 'Asset',
};
