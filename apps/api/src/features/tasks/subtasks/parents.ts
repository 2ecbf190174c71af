import { maxSubtasks } from '@atelier/contract';
import type { Transaction } from '../../../db/executor.ts';
import type { MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { assertMayUse } from '../../../kernel/permissions.ts';
import type { TaskStatus } from '../policy.ts';
import { countSubtasks, findParent } from './queries.ts';

/** A task that is to become a subtask. */
interface Candidate {
  /** Null for a new one. */
  readonly id: string | null;
  readonly organizationId: string;
  readonly projectId: string;
  readonly subtaskCount: number;
  /** The present parent. */
  readonly parent: { readonly id: string } | null;
}

/**
 * Checks that a task may become a subtask of another one. Call it under the lock of the project.
 *
 * @throws Failure `not_found` (404), `invalid_parent` (400), `too_many_subtasks` (409)
 */
export async function assertMayHaveParent(
  tx: Transaction,
  { id, organizationId, projectId, subtaskCount, parent: present }: Candidate,
  { parentId, ctx }: { parentId: string; ctx: MemberContext },
): Promise<void> {
  if (parentId === present?.id) return assertMayUse(ctx, 'body.parentId');
  const parent = await findParent(tx, { organizationId, id: parentId });
  if (!parent) throw new Failure('not_found');
  assertMayUse(ctx, 'body.parentId');
  if (parentId === id) throw refused('A task cannot be a subtask of itself');
  if (parent.projectId !== projectId) throw refused('The parent is in another project');
  if (parent.parentId !== null) throw refused('The parent is a subtask itself');
  if (subtaskCount > 0) throw refused('A task with subtasks cannot become one');
  if (parent.subtaskCount >= maxSubtasks) throw new Failure('too_many_subtasks');
}

function refused(message: string): Failure {
  return new Failure('invalid_parent', { message });
}

/** What the counts of a parent depend on. */
interface Counted {
  readonly parentId: string | null;
  readonly status: TaskStatus;
}

/** Returns the changes that keep the counts of the parents exact; none for a task that is no subtask. */
export function countUpdates(
  tx: Transaction,
  organizationId: string,
  { before, after }: { before: Counted | null; after: Counted | null },
): (() => Promise<void>)[] {
  const isSame = before?.parentId === after?.parentId && isDone(before) === isDone(after);
  if (isSame) return [];
  const parents = new Set(
    [before?.parentId, after?.parentId].filter((id) => typeof id === 'string'),
  );
  return [...parents].toSorted().map((id) => () => countSubtasks(tx, { organizationId, id }));
}

function isDone(task: Counted | null): boolean {
  return task?.status === 'DONE';
}
