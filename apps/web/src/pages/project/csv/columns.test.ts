import type { Person, Task, TaskLabel } from '@atelier/client';
import { expect, test } from 'vitest';
import { endOfDay } from '../../../tasks/due-date.ts';
import { rowsOf, tasksOf } from './columns.ts';
import { csvOf, rowsIn } from './csv.ts';

const ada: Person = { id: 'a', displayName: 'Ada', email: 'ada@example.com', avatarUrl: null };
const bug: TaskLabel = { id: 'l', name: 'Bug', color: 'RED' };
const known = { people: [ada], labels: [bug] };

const task: Task = {
  id: 't',
  number: 7,
  projectId: 'p',
  organizationId: 'o',
  title: 'Paint, "twice"',
  description: '- [ ] hull\n- [ ] deck',
  status: 'IN_REVIEW',
  priority: 'HIGH',
  dueDate: endOfDay('2026-12-01'),
  assignees: [ada],
  labels: [bug],
  position: 0,
  commentCount: 0,
  attachmentCount: 0,
  parent: null,
  subtaskCount: 0,
  completedSubtaskCount: 0,
  completedAt: null,
  createdBy: 'a',
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
};

test('what is exported is imported again', () => {
  const plan = tasksOf(rowsIn(csvOf(rowsOf([task], 'BOAT'))), known);
  expect(plan).toEqual({
    skipped: [],
    tasks: [
      {
        line: 2,
        title: task.title,
        status: 'IN_REVIEW',
        fields: {
          description: task.description,
          priority: 'HIGH',
          dueDate: task.dueDate,
          assignees: [ada],
          labels: [bug],
        },
        problems: [],
      },
    ],
  });
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
  '%j is no formula in the file, and the same after an import',
  (title) => {
    const text = csvOf(rowsOf([{ ...task, title, description: title }], 'BOAT'));
    expect(rowsIn(text)[1]?.cells[1]).toBe(`'${title}`);
    expect(tasksOf(rowsIn(text), known)?.tasks[0]?.title).toBe(title.trim());
  },
);

test('unknown values are left out and named, and lines without a title are skipped', () => {
  const rows = rowsIn(
    [
      'title;status;priority;due date;labels;assignees',
      'One;done;urgent;2026-02-30;Bug, Rare;ada, bob@example.com',
      '',
      ';todo',
      'Two;Someday;;"',
      '',
      '"',
      'Three',
    ].join('\n'),
  );
  const plan = tasksOf(rows, known);
  expect(plan?.skipped).toEqual([{ line: 4, reason: 'It has no title.' }]);
  const [one, two, three] = plan?.tasks ?? [];
  expect(one).toMatchObject({
    status: 'DONE',
    fields: { priority: 'URGENT', dueDate: null, labels: [bug], assignees: [ada] },
    problems: [
      '“2026-02-30” is no date such as 2026-12-01.',
      '“bob@example.com” is no member.',
      'There is no label “Rare”.',
    ],
  });
  expect(two).toMatchObject({ line: 5, status: 'TODO', problems: ['“Someday” is no status.'] });
  expect(three).toMatchObject({ line: 8, title: 'Three' });
  expect(tasksOf(rowsIn('Name\nx'), known)).toBeUndefined();
});
