export const texts = {
  title: 'Profile and sessions',
};
