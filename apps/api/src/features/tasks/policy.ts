import type { Task } from '@atelier/contract';
import { changesBetween, type Change } from '../../kernel/changes.ts';

export type TaskStatus = Task['status'];

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
  readonly parentId: string | null;
}

/** Returns the changed fields as an activity keeps them: an excerpt of a description. */
export function recordedChanges(before: Editable, after: Editable): Change[] {
  return changesBetween(namedInContract(before), namedInContract(after)).map((change) =>
    change.field === 'description' ? excerpted(before, after) : change,
  );
}

/** Fields in the order of the contract, timestamps as text. */
function namedInContract({ dueDate, parentId, ...fields }: Editable) {
  const { title, description, status, priority } = fields;
  const due = dueDate?.toISOString() ?? null;
  return { title, description, status, priority, dueDate: due, parentId };
}

/** Maximum number of UTF-16 units of a description that an activity keeps. */
const excerptLength = 200;

function excerpted(before: Editable, after: Editable): Change {
  return {
    field: 'description',
    from: excerptOf(before.description),
    to: excerptOf(after.description),
  };
}

function excerptOf(text: string | null): string | null {
  if (text === null) return null;
  const start = text.slice(0, excerptLength);
  // Never cuts a surrogate pair.
  return start.isWellFormed() ? start : start.slice(0, -1);
}
