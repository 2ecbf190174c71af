export const texts = {
  title: 'Timeline',
  ofAll: 'All activity in every organization. Switch to a team to see only its activity.',
  ofTeam: (name: string) => `All activity in ${name}`,
  ofResource: (name: string) => `Timeline of ${name}`,
  forbidden:
    'Only administrators of the service and the owners and admins of a team can see its timeline.',
};
