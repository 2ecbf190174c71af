import type { FeatureFixtures } from '../../testing/feature-fixtures.ts';

export const healthFixtures: FeatureFixtures<'health'> = {
  inputs: {},
};
