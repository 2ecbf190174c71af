import type { FeatureFixtures } from '../../testing/feature-fixtures.ts';
import { noInput } from '../../testing/fixture-parts.ts';

export const eventsFixtures: FeatureFixtures<'events'> = {
  inputs: { subscribe: noInput },
};
