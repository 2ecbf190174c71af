export const texts = {
  title: 'Timeline of a resource',
  named: (name: string) => `Timeline of ${name}`,
  back: 'Whole timeline',
  unknownType: 'There is no such kind of resource.',
};
