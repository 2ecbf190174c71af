/** Texts about the subtasks of a task. */
export const texts = {
  title: 'Subtasks',
  progress: (done: number, total: number) => `${done} of ${total} done`,
  list: 'Subtasks of this task',
  add: 'Add a subtask',
  addShort: 'Add',
  full: 'A task can have at most 100 subtasks.',
  done: (title: string) => `“${title}” is done`,
};
