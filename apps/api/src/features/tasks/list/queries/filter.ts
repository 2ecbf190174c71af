import { and, eq, lt, sql, type Placeholder, type SQL } from 'drizzle-orm';
import { tasks, type taskPriorities } from '../../../../db/generated/schema.ts';
import { nameContains, patternsOf, type SearchedText } from '../../../../db/patterns.ts';
import type { TaskStatus } from '../../policy.ts';

export interface TaskFilter {
  readonly organizationId: string;
  readonly projectId?: string | undefined;
  readonly status?: TaskStatus | undefined;
  readonly assigneeId?: string | undefined;
  readonly labelId?: string | undefined;
  readonly priority?: (typeof taskPriorities)[number] | undefined;
  readonly parentId?: string | undefined;
  /** ISO 8601. */
  readonly dueBefore?: string | undefined;
  readonly titleContains?: SearchedText | undefined;
}

/** Filters with their own index. */
export const indexedFilters = ['projectId', 'status', 'assigneeId'] as const;
export type IndexedFilter = (typeof indexedFilters)[number];

/** The filter of a statement; a prepared one has parameters for the values that an index finds. */
export type BoundFilter = {
  readonly [Name in keyof TaskFilter]:
    | TaskFilter[Name]
    | (Name extends IndexedFilter | 'organizationId' ? Placeholder : never);
};

/** The condition for the tasks of a list. */
export function matching(filter: BoundFilter): SQL | undefined {
  const { organizationId, projectId, status, assigneeId } = filter;
  const { labelId, priority, parentId, dueBefore, titleContains } = filter;
  return and(
    eq(tasks.organizationId, organizationId),
    projectId === undefined ? undefined : eq(tasks.projectId, projectId),
    status === undefined ? undefined : eq(tasks.status, status),
    assigneeId === undefined
      ? undefined
      : sql`exists (
          select 1 from task_assignees
          where task_assignees.organization_id = ${organizationId} and task_assignees.task_id = tasks.id
            and task_assignees.user_id = ${assigneeId})`,
    labelId === undefined
      ? undefined
      : sql`exists (
          select 1 from task_labels
          where task_labels.organization_id = ${organizationId} and task_labels.task_id = tasks.id
            and task_labels.label_id = ${labelId})`,
    priority === undefined ? undefined : eq(tasks.priority, priority),
    parentId === undefined ? undefined : eq(tasks.parentId, parentId),
    dueBefore === undefined ? undefined : lt(tasks.dueDate, new Date(dueBefore)),
    titleContains &&
      nameContains({ name: tasks.title, folded: tasks.titleFolded }, patternsOf(titleContains)),
  );
}
