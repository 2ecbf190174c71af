export const texts = {
  title: 'Resource timeline',
  named: (name: string) => `Timeline of ${name}`,
  back: 'Full timeline',
  unknownType: 'This type of resource doesn’t exist.',
};
