import { createStore } from '../ui/store.ts';
import { selectOrganization } from './selected-organization.ts';

/** While true, no page is shown: the current one would request items that the next organization lacks. */
export const isSwitchingOrganization = createStore(false);

/**
 * Switches to another organization and navigates.
 *
 * @param navigate - until it settles, no page is shown
 */
export async function switchOrganization(
  id: string | null,
  navigate: () => Promise<unknown>,
): Promise<void> {
  isSwitchingOrganization.set(true);
  try {
    selectOrganization(id);
    await navigate();
  } finally {
    isSwitchingOrganization.set(false);
  }
}
