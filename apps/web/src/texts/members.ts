export const texts = {
  title: 'Members',
};
