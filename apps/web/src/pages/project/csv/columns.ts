import type { Person, Task, TaskLabel } from '@atelier/client';
import { endOfDay } from '../../../tasks/due-date.ts';
import { priorities, statuses } from '../../../tasks/kinds.ts';
import { texts } from '../../../texts/task-csv.ts';
import { texts as taskTexts } from '../../../texts/tasks.ts';
import { dayOf } from '../../../ui/calendar-days.ts';
import type { CsvRow } from './csv.ts';

const { columns, problems } = texts;

const names = [
  'number',
  'title',
  'description',
  'status',
  'priority',
  'dueDate',
  'assignees',
  'labels',
] as const;

/** Returns the header and the rows of a file with these tasks. */
export function rowsOf(tasks: readonly Task[], projectKey: string): readonly (readonly string[])[] {
  return [
    names.map((name) => columns[name]),
    ...tasks.map((task) => [
      `${projectKey}-${task.number}`,
      task.title,
      task.description ?? '',
      taskTexts.statuses[task.status],
      taskTexts.priorities[task.priority],
      task.dueDate === null ? '' : dayOf(task.dueDate),
      task.assignees.map(({ email }) => email).join(', '),
      task.labels.map(({ name }) => name).join(', '),
    ]),
  ];
}

/** A task of a file, and what of it can't be taken over. */
export interface ImportedTask {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly title: string;
  readonly status: Task['status'];
  readonly fields: {
    readonly description: string | null;
    readonly priority: Task['priority'];
    readonly dueDate: string | null;
    readonly assignees: readonly Person[];
    readonly labels: readonly TaskLabel[];
  };
  readonly problems: readonly string[];
}

interface Known {
  readonly people: readonly Person[];
  readonly labels: readonly TaskLabel[];
}

export interface ImportPlan {
  readonly tasks: readonly ImportedTask[];
  /** Lines that are left out, with the reason. */
  readonly skipped: readonly { readonly line: number; readonly reason: string }[];
}

const maxTitleLength = 255;
const maxDescriptionLength = 20_000;
const maxAssignees = 20;
const maxLabels = 10;

/**
 * Returns the tasks that the rows of a file become. Values that are not known are left out, and named.
 *
 * @param rows - the header first
 * @returns undefined if the header has no title
 */
export function tasksOf(
  [header, ...rows]: readonly CsvRow[],
  known: Known,
): ImportPlan | undefined {
  const at = (name: (typeof names)[number]) =>
    header?.cells.findIndex((cell) => cell.trim().toLowerCase() === columns[name].toLowerCase()) ??
    -1;
  if (at('title') === -1) return undefined;
  const tasks: ImportedTask[] = [];
  const skipped: { line: number; reason: string }[] = [];
  for (const { line, cells } of rows) {
    const cell = (name: (typeof names)[number]) => unescaped(cells[at(name)] ?? '').trim();
    const title = cell('title').replaceAll(/\s+/g, ' ');
    const description = cell('description');
    if (title === '') skipped.push({ line, reason: problems.noTitle });
    else if (Array.from(title).length > maxTitleLength) {
      skipped.push({ line, reason: problems.longTitle });
    } else if (description.length > maxDescriptionLength) {
      skipped.push({ line, reason: problems.longDescription });
    } else tasks.push(taskOf(cell, { line, title, known }));
  }
  return { tasks, skipped };
}

interface Row {
  readonly line: number;
  readonly title: string;
  readonly known: Known;
}

function taskOf(
  cell: (name: (typeof names)[number]) => string,
  { line, title, known }: Row,
): ImportedTask {
  const found: string[] = [];
  const status = optionNamed(statuses, taskTexts.statuses, cell('status'));
  if (cell('status') !== '' && !status) found.push(problems.status(cell('status')));
  const priority = optionNamed(priorities, taskTexts.priorities, cell('priority'));
  if (cell('priority') !== '' && !priority) found.push(problems.priority(cell('priority')));
  const dueDate = dueDateOf(cell('dueDate'));
  if (cell('dueDate') !== '' && dueDate === null) found.push(problems.dueDate(cell('dueDate')));
  const assignees = itemsNamed(known.people, cell('assignees'), ({ email, displayName }) => [
    email,
    displayName,
  ]);
  const labels = itemsNamed(known.labels, cell('labels'), ({ name }) => [name]);
  found.push(...assignees.unknown.map(problems.assignee), ...labels.unknown.map(problems.label));
  return {
    line,
    title,
    status: status ?? 'TODO',
    fields: {
      description: cell('description') || null,
      priority: priority ?? 'NONE',
      dueDate,
      assignees: assignees.found.slice(0, maxAssignees),
      labels: labels.found.slice(0, maxLabels).map(({ id, name, color }) => ({ id, name, color })),
    },
    problems: found,
  };
}

function optionNamed<Option extends string>(
  options: readonly Option[],
  labels: Readonly<Record<Option, string>>,
  text: string,
): Option | undefined {
  const lowered = text.toLowerCase();
  return options.find(
    (option) => option.toLowerCase() === lowered || labels[option].toLowerCase() === lowered,
  );
}

function itemsNamed<Item>(
  items: readonly Item[],
  text: string,
  namesOf: (item: Item) => readonly string[],
): { readonly found: readonly Item[]; readonly unknown: readonly string[] } {
  const wanted = text
    .split(/[,;]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const find = (name: string) =>
    items.find((item) => namesOf(item).some((one) => one.toLowerCase() === name.toLowerCase()));
  const found = new Set(wanted.flatMap((name) => find(name) ?? []));
  return { found: [...found], unknown: wanted.filter((name) => !find(name)) };
}

/** Returns the end of a day such as `2026-12-01`, or of the day of a timestamp. */
function dueDateOf(text: string): string | null {
  const [, day] = /^((?:19[789]|[2-9]\d\d)\d-\d\d-\d\d)$/.exec(text) ?? [];
  if (day === undefined) {
    const isTimestamp = /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text));
    return isTimestamp ? endOfDay(dayOf(text)) : null;
  }
  const end = endOfDay(day);
  // Such as the 31st of a shorter month.
  return dayOf(end) === day ? end : null;
}

/** Removes what the export puts in front of a value that a spreadsheet would calculate. */
function unescaped(text: string): string {
  return text.replace(/^'(?=[=+\-@\t\r])/, '');
}
