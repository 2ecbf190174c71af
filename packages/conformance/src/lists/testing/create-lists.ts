import type { Fixtures } from '../../fixtures.ts';
import type { Probe } from '../../probe.ts';
import { lists } from '../fixtures.ts';

/** Creates what all lists have, before a fault is injected. */
export async function createLists(fixtures: Fixtures, probe: Probe): Promise<void> {
  const [first] = lists;
  if (first) await fixtures.lists(first, probe);
}
