export const texts = {
  title: 'My activity',
};
