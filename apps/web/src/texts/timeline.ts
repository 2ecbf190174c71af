export const texts = {
  title: 'Timeline',
  ofAll: 'Everything that happened in every organization. Choose a team to see only its own.',
  ofTeam: (name: string) => `Everything that happened in ${name}.`,
  ofResource: (name: string) => `Everything that happened to ${name}`,
  forbidden:
    'Administrators of the service see the timeline, and owners and admins see that of their team.',
};
