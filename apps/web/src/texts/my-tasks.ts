import { withNames } from '../ui/with-names.ts';

export const texts = {
  title: 'My tasks',
  description: 'Your open tasks in this organization',
  groups: {
    overdue: 'Overdue',
    today: 'Today',
    week: 'This week',
    later: 'Later',
    none: 'No due date',
  },
  empty: 'You’re all caught up',
  emptyHint: 'Tasks assigned to you appear here, most urgent first.',
  toProjects: 'Go to projects',
  complete: (title: string) => `Mark “${title}” as done`,
  completed: (title: string) => withNames`“${title}” is done.`,
  truncated: 'Not all of your tasks are shown. Open a project’s list to see all of them.',
};
