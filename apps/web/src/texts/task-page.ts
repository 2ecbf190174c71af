/** Texts of the page of a task. */
export const texts = {
  title: 'Task',
  back: 'Project',
};
