export const texts = {
  title: 'My tasks',
  description: 'What is assigned to you in this organization and not done yet.',
  groups: {
    overdue: 'Overdue',
    today: 'Today',
    week: 'This week',
    later: 'Later',
    none: 'No due date',
  },
  empty: 'Nothing is waiting for you',
  emptyHint: 'Tasks that are assigned to you appear here, the most urgent first.',
  toProjects: 'Go to the projects',
  complete: (title: string) => `Mark “${title}” as done`,
  completed: (title: string) => `“${title}” is done.`,
  cut: 'There are more than fit here. The lists of the projects have all of them.',
};
