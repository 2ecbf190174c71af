import type { Task } from '@atelier/contract';
import {
  pictureAddressesOf,
  shownPerson,
  type PictureAddresses,
} from '../../../domain/person-view/present.ts';
import type { ObjectStore } from '../../../ports/object-store.ts';
import type { TaskRow } from './queries.ts';

/** {@link shownTask} for a single task; signs its assignees' pictures, without a network call. */
export async function presentTask(store: ObjectStore, row: TaskRow): Promise<Task> {
  return shownTask(row, await pictureAddressesOf(store, row.assignees));
}

/** A task as the contract shows it. */
export function shownTask(row: TaskRow, pictures: PictureAddresses): Task {
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
    assignees: row.assignees.map((person) => shownPerson(person, pictures)),
    position: row.position,
    commentCount: row.commentCount,
    completedAt: row.completedAt?.toISOString() ?? null,
    createdBy: row.createdBy,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
