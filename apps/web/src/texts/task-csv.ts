/** Texts of the export and import of tasks as CSV. */
export const texts = {
  export: 'Export tasks as CSV',
  exportFailed: 'The tasks couldn’t be exported.',
  fileName: (project: string) => `${project} tasks.csv`,
  import: 'Import tasks from CSV',
  title: 'Import tasks',
  hint: 'The first line names the columns: Title, and if you like Description, Status, Priority, Due date (2026-12-01), Assignees (emails) and Labels. Each line becomes a new task.',
  file: 'CSV file',
  tooLarge: 'The file is larger than 2 MB.',
  unreadable: 'The file couldn’t be read.',
  noTitleColumn: 'The file has no column “Title”.',
  tooMany: (max: number) => `Only the first ${max} tasks are imported.`,
  summary: (count: number) =>
    count === 1 ? '1 task will be added' : `${count} tasks will be added`,
  warnings: (count: number) =>
    count === 1 ? '1 value is left out' : `${count} values are left out`,
  skippedLines: (count: number) =>
    count === 1 ? '1 line is skipped' : `${count} lines are skipped`,
  line: (line: number, reason: string) => `Line ${line}: ${reason}`,
  preview: 'Tasks that will be added',
  action: (count: number) => (count === 1 ? 'Add 1 task' : `Add ${count} tasks`),
  started: (count: number) =>
    count === 1 ? '1 task is being added.' : `${count} tasks are being added.`,
  failed: (title: string, reason: string) => `“${title}” couldn’t be added: ${reason}`,
  columns: {
    number: 'Number',
    title: 'Title',
    description: 'Description',
    status: 'Status',
    priority: 'Priority',
    dueDate: 'Due date',
    assignees: 'Assignees',
    labels: 'Labels',
  },
  problems: {
    noTitle: 'It has no title.',
    longTitle: 'Its title has more than 255 characters.',
    longDescription: 'Its description has more than 20,000 characters.',
    status: (text: string) => `“${text}” is no status.`,
    priority: (text: string) => `“${text}” is no priority.`,
    dueDate: (text: string) => `“${text}” is no date such as 2026-12-01.`,
    assignee: (text: string) => `“${text}” is no member.`,
    label: (text: string) => `There is no label “${text}”.`,
  },
};
