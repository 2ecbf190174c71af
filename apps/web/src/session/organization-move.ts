import { createStore } from '../ui/store.ts';
import { selectOrganization } from './organization-choice.ts';

/** Whether the page is put away: it shows what the organization before has, which the next one lacks. */
export const isMoving = createStore(false);

/**
 * Works in another organization from now on, at another place.
 *
 * @param go - goes there; until it is there no page reads what isn't the next organization's
 */
export async function moveToOrganization(
  id: string | null,
  go: () => Promise<unknown>,
): Promise<void> {
  isMoving.set(true);
  try {
    selectOrganization(id);
    await go();
  } finally {
    isMoving.set(false);
  }
}
