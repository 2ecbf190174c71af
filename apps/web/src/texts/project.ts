export const texts = {
  title: 'Project',
};
