import type { Task } from '@atelier/contract';

export type TaskStatus = Task['status'];

/** What changed of a field, as an activity tells it. */
export interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** When a task in a column was completed: DONE keeps its moment or begins one, all others have none. */
export function completionIn(
  status: TaskStatus,
  { completedAt, now }: { completedAt: Date | null; now: Date },
): Date | null {
  return status === 'DONE' ? (completedAt ?? now) : null;
}

/** Fields of a task that are changed by naming them. */
export interface Editable {
  readonly title: string;
  readonly description: string | null;
  readonly status: TaskStatus;
  readonly priority: Task['priority'];
  readonly dueDate: Date | null;
}

/** Which fields differ, in the order of the contract. */
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

/** UTF-16 units of a description that an activity keeps at most. */
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
  // Not half of a character.
  return start.isWellFormed() ? start : start.slice(0, -1);
}
