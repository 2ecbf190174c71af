import type { Task } from '@atelier/contract';
import { pictureAddressesOf, shownPerson, type PictureAddresses } from '../person-view/present.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import type { TaskRow } from './queries.ts';

/** {@link shownTask} for a single task; signs its assignees' pictures, without a network call. */
export async function presentTask(store: ObjectStore, row: TaskRow): Promise<Task> {
  return shownTask(row, await pictureAddressesOf(store, row.assignees));
}

/** A task as the contract shows it. */
export function shownTask({ rank: _, ...row }: TaskRow, pictures: PictureAddresses): Task {
  return {
    ...row,
    dueDate: row.dueDate?.toISOString() ?? null,
    assignees: row.assignees.map((person) => shownPerson(person, pictures)),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}
