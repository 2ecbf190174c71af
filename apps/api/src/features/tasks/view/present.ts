import type { Task } from '@atelier/contract';
import { presentPerson } from '../../../kernel/person-view/present.ts';
import type { ObjectStore } from '../../../ports/object-store.ts';
import type { TaskRow } from './queries.ts';

/** A task as the contract shows it; signs its assignees' pictures, without a network call. */
export async function presentTask(store: ObjectStore, row: TaskRow): Promise<Task> {
  return {
    id: row.id,
    number: row.number,
    projectId: row.projectId,
    organizationId: row.organizationId,
    title: row.title,
    description: row.description,
    status: row.status,
    priority: row.priority,
    dueDate: row.dueDate?.toISOString() ?? null,
    assignees: await Promise.all(row.assignees.map((person) => presentPerson(store, person))),
    position: row.position,
    commentCount: row.commentCount,
    completedAt: row.completedAt?.toISOString() ?? null,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
