import type { Task } from '@atelier/contract';

export type TaskStatus = Task['status'];

/** The change of a field, as recorded in an activity. */
export interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The timestamp of completion: DONE keeps or sets it, all other columns clear it. */
export function completionIn(
  status: TaskStatus,
  { completedAt, now }: { completedAt: Date | null; now: Date },
): Date | null {
  return status === 'DONE' ? (completedAt ?? now) : null;
}

/** Fields of a task that a request can set. */
export interface Editable {
  readonly title: string;
  readonly description: string | null;
  readonly status: TaskStatus;
  readonly priority: Task['priority'];
  readonly dueDate: Date | null;
}

/** Returns the changed fields, in the order of the contract. */
export function changesBetween(before: Editable, after: Editable): Change[] {
  return [
    { field: 'title', from: before.title, to: after.title },
    {
      field: 'description',
      from: before.description,
      to: after.description,
    },
    { field: 'status', from: before.status, to: after.status },
    { field: 'priority', from: before.priority, to: after.priority },
    {
      field: 'dueDate',
      from: before.dueDate?.toISOString() ?? null,
      to: after.dueDate?.toISOString() ?? null,
    },
  ]
    .filter(({ from, to }) => from !== to)
    .map((change) => (change.field === 'description' ? excerpted(change) : change));
}

/** Maximum number of UTF-16 units of a description that an activity keeps. */
const excerptLength = 200;

function excerpted({
  field,
  from,
  to,
}: Record<'field', string> & Record<'from' | 'to', string | null>) {
  return { field, from: excerptOf(from), to: excerptOf(to) };
}

function excerptOf(text: string | null): string | null {
  if (text === null) return null;
  const start = text.slice(0, excerptLength);
  // Never cuts a surrogate pair.
  return start.isWellFormed() ? start : start.slice(0, -1);
}
